import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(body, request.headers['service-signature'] ?? '', process.env.WEBHOOK_SECRET)) {
    return response.writeHead(401).end()
  }
  response.writeHead(204).end()
  const { ref, context } = JSON.parse(body)
  console.log(`node: ${ref} of order ${context.order.order_number}, ${request.headers['webhook-id']}`)
}).listen(process.env.PORT ?? 3000, () => console.log('node: waiting for webhooks'))

/** body: the bytes as received */
function isGenuine(body, header, secret) {
  const fields = header.split(',').map((field) => field.split('='))
  const time = fields.find(([name]) => name === 't')?.[1]
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  const isFresh = Math.abs(Date.now() / 1000 - time) < 300
  return (
    isFresh &&
    fields.some(
      ([name, hex]) =>
        name === 'v1' && /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), expected),
    )
  )
}
