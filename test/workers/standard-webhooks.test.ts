import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { hourMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { type Received, type Receiver, startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

afterEach(() => clock.reset())

/** The secret of our response, in the format of Standard Webhooks. */
const standard = (secret: string) => new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`)

const headersOf = ({ headers }: Received) => headers as Record<string, string> // our headers have one value each

describe('delivery', () => {
  it('is verified by the standardwebhooks package, and its payload read', async () => {
    const { shop, receiver, endpoint } = await listen()
    const received = await sendTest(shop, receiver, endpoint)
    const { headers, text, body } = received
    expect(standard(endpoint.secret).verify(text, headersOf(received))).toEqual(body)
    expect(headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^[\w-]+$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    })
  })

  it.each(['sixteen-letters!', 'x'.repeat(64), 'Schlüssel für die Ablage ✓', 'whsec_of-its-own-kind'])(
    'is verified with a secret of the merchant: %s',
    async (secret) => {
      const { shop, receiver, endpoint } = await listen({ secret })
      const received = await sendTest(shop, receiver, endpoint)
      expect(standard(secret).verify(received.text, headersOf(received))).toEqual(received.body)
    },
  )

  it('is not verified if any part of it was changed, or with another secret', async () => {
    const { shop, receiver, endpoint } = await listen()
    const received = await sendTest(shop, receiver, endpoint)
    const { text } = received
    const headers = headersOf(received)
    const refuses = (body: string, changed: Record<string, string> = {}, secret = endpoint.secret) =>
      expect(() => standard(secret).verify(body, { ...headers, ...changed })).toThrow(WebhookVerificationError)
    refuses(`${text} `)
    refuses(text.replace('TEST-1001', 'TEST-1002'))
    refuses(text, { 'webhook-id': 'another' })
    refuses(text, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })
    refuses(text, {}, `${endpoint.secret}x`)
  })

  it('is verified with the old secret and with the new one after a rotation, for a day', async () => {
    const { shop, receiver, endpoint } = await listen()
    const { body: rotated } = await shop.post(`/webhooks/${endpoint.uuid}/rotate-secret`)
    const received = await sendTest(shop, receiver, endpoint)
    expect(received.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    for (const { secret } of [rotated, endpoint]) {
      expect(standard(secret).verify(received.text, headersOf(received))).toEqual(received.body)
    }
    clock.advance(25 * hourMs)
    const later = await sendTest(shop, receiver, endpoint)
    // The package uses the system clock, which has not moved, so only the signature is checked here.
    const signed = (secret: string) =>
      standard(secret).sign(
        String(later.headers['webhook-id']),
        new Date(Number(later.headers['webhook-timestamp']) * 1_000),
        later.text,
      )
    expect(later.headers['webhook-signature']).toBe(signed(rotated.secret))
    expect(later.headers['webhook-signature']).not.toContain(signed(endpoint.secret))
  })

  it('carries a Service-Signature that the recipe of the contract verifies', async () => {
    const { shop, receiver, endpoint } = await listen()
    const { headers, text } = await sendTest(shop, receiver, endpoint)
    const header = String(headers['service-signature'])
    expect(isSigned(header, text, endpoint.secret)).toBe(true)
    expect(isSigned(header, text.replace('TEST-1001', 'TEST-1002'), endpoint.secret)).toBe(false)
    expect(isSigned(header, text, `${endpoint.secret}x`)).toBe(false)
    expect(header.startsWith(`t=${headers['webhook-timestamp']},`)).toBe(true)
  })

  it('carries the signature under the name of the brand', async () => {
    const service = await startTestService({ BRAND: 'Acme' }, await openTestDatabase())
    onTestFinished(() => service.stop())
    const { shop, receiver, endpoint } = await listen({}, service)
    const { headers, text } = await sendTest(shop, receiver, endpoint, service)
    expect(isSigned(String(headers['acme-signature']), text, endpoint.secret)).toBe(true)
    expect(headers['service-signature']).toBeUndefined()
  })
})

/** As the contract describes: extract t and v1, recompute over `<t>.<raw body>`, compare in constant time. */
function isSigned(header: string, body: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='))
  const timestamp = parts.find(([name]) => name === 't')?.[1]
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return parts.some(
    ([name, value = '']) =>
      name === 'v1' && value.length === expected.length && timingSafeEqual(Buffer.from(value), Buffer.from(expected)),
  )
}

interface Listening {
  shop: ShopCaller
  receiver: Receiver
  endpoint: { uuid: string; secret: string }
}

async function listen(fields: Record<string, unknown> = {}, service?: Service): Promise<Listening> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const shop = (await makeShop({}, service)).as('admin')
  const { body: endpoint } = await shop.post('/webhooks', { url: receiver.url, ...fields })
  return { shop, receiver, endpoint }
}

/** Sends a test event, and returns what was received. */
async function sendTest(
  shop: ShopCaller,
  receiver: Receiver,
  endpoint: { uuid: string },
  service?: Service,
): Promise<Received> {
  const before = receiver.received.length
  await shop.post(`/webhooks/${endpoint.uuid}/test`)
  await (service ?? (await theService())).workers?.deliveries.sweep()
  await receiver.until(before + 1)
  const [received] = receiver.received.slice(before)
  if (received === undefined) throw new Error('the test event did not come')
  return received
}
