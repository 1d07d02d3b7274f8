import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { uniqueNumber, upsertOf } from './orders.ts'
import { type Credentials, callApi } from './process.ts'

const eventNames = ['PARCEL_DISPATCHED', 'ARRIVED_AT_SORTING_CENTER', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']
const clients = 4
/** Between two requests of a client: a killed process should have something in flight, not a backlog. */
const pauseMs = 20
/** As a shop system waits. Node hands one connection at a time to each process: if that is killed now, nobody responds. */
const limitMs = 20_000

/** Orders and their events, one after the other by each client. A request that was not accepted is not sent again. */
export interface OrderStream {
  orders: Set<string>
  /** As `<tracking number> <event name>`. */
  events: Set<string>
  /** How many requests were not accepted, by status; 0 is no response. */
  refused: Map<number, number>
  stop(): Promise<void>
}

export function streamOrders(place: () => { url: string }, credentials: Credentials, slug: string): OrderStream {
  const orders = new Set<string>()
  const events = new Set<string>()
  const refused = new Map<number, number>()
  let isStopped = false
  const send = async (method: string, path: string, body: unknown): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const status = await callApi(place(), credentials, `${method} /v1/shops/${slug}${path}`, { body, limitMs }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return true
    refused.set(status, (refused.get(status) ?? 0) + 1)
    return false
  }
  const work = async (): Promise<void> => {
    while (!isStopped) {
      const number = uniqueNumber('K')
      const order = upsertOf(number, { order_placed_at: undefined }, [{ tracking_number: number }])
      if (!(await send('PUT', '/orders', order))) continue
      orders.add(number)
      for (const event_name of eventNames) {
        if (isStopped) return
        if (await send('POST', '/shipment-events?notify=true', { id: number, event_name })) {
          events.add(`${number} ${event_name}`)
        }
      }
    }
  }
  const working = Promise.all(Array.from({ length: clients }, work))
  return {
    orders,
    events,
    refused,
    async stop() {
      isStopped = true
      await working
    },
  }
}

/** A receiver that keeps only the subject of each request, so that hours of them fit into memory. */
export interface LedgerReceiver {
  url: string
  /** By event, as `<tracking number> <event name>`: when it came, and under which webhook-ids. */
  receipts: Map<string, { times: number[]; ids: Set<unknown> }>
}

/** Of the events it has not seen yet, it rejects every so many, once each. */
export async function startLedgerReceiver({ rejectEvery = 0 } = {}): Promise<LedgerReceiver> {
  const receipts: LedgerReceiver['receipts'] = new Map()
  const rejected = new Set<string>()
  let count = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const { event_data } = JSON.parse(text)
      const key = `${event_data.tracking_number} ${event_data.event_name}`
      if (rejectEvery > 0 && !receipts.has(key) && !rejected.has(key)) {
        count += 1
        if (count % rejectEvery === 0) {
          rejected.add(key)
          response.writeHead(503).end()
          return
        }
      }
      const known = receipts.get(key) ?? { times: [], ids: new Set() }
      known.times.push(performance.now())
      known.ids.add(request.headers['webhook-id'])
      receipts.set(key, known)
      response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, receipts }
}
