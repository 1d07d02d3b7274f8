// A shop without a shop system: three pages, an order, a parcel, and the events that come back.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createClient } from 'doorstep-client'
import { verifyWebhook, WebhookError } from 'doorstep-client/webhooks'

const { API_KEY = '', DOORSTEP_URL = 'http://localhost:8080', PORT = '3000', SHOP = 'demo' } = process.env
const secret = process.env.WEBHOOK_SECRET ?? ''
const client = createClient({ baseUrl: DOORSTEP_URL, credentials: { username: 'admin', apiKey: API_KEY } })
const params = { path: { slug: SHOP } }

/** The orders of this shop, each with the status that the last event reported. */
const statuses = new Map<string, string>()

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
  'POST /orders': placeOrder,
  'GET /orders': showOrders,
  'POST /webhooks': receiveEvent,
}

createServer((request, response) => {
  const [path] = (request.url ?? '').split('?')
  const route = routes[`${request.method} ${path}`]
  if (route === undefined) return void response.writeHead(404).end()
  route(request, response).catch((error: Error) => {
    console.error(error.message)
    response.writeHead(500).end()
  })
}).listen(Number(PORT), '127.0.0.1', subscribe)

/** The checkout is done: tell Doorstep what was bought, and which parcel it is in. */
async function placeOrder(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  const number = `HEADLESS-${Date.now()}`
  await client.put('/v1/shops/{slug}/orders', {
    params,
    body: {
      id: number,
      id_type: 'order_number',
      order: {
        order_number: number,
        external_id: number,
        email_id: 'ada@example.com',
        total_order_price: 89.9,
        address: { name: 'Ada Example', city: 'Berlin', zip_code: '10115', country_code: 'DE' },
        products: [{ title: 'Rain jacket', quantity: 1, price: 89.9, sku: 'RJ-42' }],
      },
      // A parcel of the sandbox carrier arrives within seconds.
      trackings: [{ tracking_number: `SBX-DELIVERED-1S-${number}`, carrier_reference: 'sandbox' }],
    },
  })
  const { url } = await client.post('/v1/shops/{slug}/orders/trackpage-url', {
    params,
    body: { id: number, id_type: 'order_number' },
  })
  statuses.set(number, 'placed')
  sendJson(response, { order_number: number, follow_it_at: url })
}

async function showOrders(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendJson(response, Object.fromEntries(statuses))
}

/** Doorstep says what happened. */
async function receiveEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  try {
    const event = await verifyWebhook(body, request.headers, secret)
    const number = event.context.order.order_number
    if (event.source === 'shipments' && statuses.has(number)) statuses.set(number, event.ref.split('/')[1] ?? '')
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.writeHead(400).end(error.message)
  }
}

/** Once, when the shop starts. A shop that earns money does this when it is set up. */
async function subscribe(): Promise<void> {
  const url = `http://127.0.0.1:${PORT}/webhooks`
  await client.post('/v1/shops/{slug}/webhooks', { params, body: { url, secret, enabled_events: ['shipments'] } })
  console.log(`the shop is open at http://127.0.0.1:${PORT}`)
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
