import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ClaimEvent,
  isEvent,
  nameOf,
  type ShipmentEvent,
  type WebhookEvent,
} from '../../packages/client/src/events.ts'
import { signWebhook, verifyWebhook, WebhookError } from '../../packages/client/src/webhooks.ts'
import { signatureHeaders } from '../../src/delivery/sending/signature.ts'
import { HmacKey } from '../../src/platform/foundation/hmac-key.ts'
import { type Received, type Receiver, startReceiver } from '../harness/receiver.ts'
import { theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const secret = 'a-secret-of-the-endpoint'
const body = JSON.stringify({ source: 'claims', ref: 'claims/created', event_data: { event_name: 'created' } })
const now = new Date('2026-11-16T12:00:00Z')

describe('verifyWebhook', () => {
  let receiver: Receiver
  let shop: ShopCaller
  let endpoint: { uuid: string; secret: string }

  beforeAll(async () => {
    receiver = await startReceiver()
    shop = (await makeShop()).as('admin')
    endpoint = (await shop.post('/webhooks', { url: receiver.url })).body
  })
  afterAll(() => receiver.close())

  it('returns the event of what the service sends', async () => {
    const { text, headers, body: sent } = await sendTest()
    const event = await verifyWebhook(text, headers, endpoint.secret)
    expect(event).toEqual(sent)
    expect(nameOf(event)).toBe('OUT_FOR_DELIVERY')
    expect(event.test).toBe(true)
  })

  it('accepts the body as bytes, and the headers of fetch', async () => {
    const { text, headers } = await sendTest()
    const given = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
    const bytes = new TextEncoder().encode(text)
    expect(await verifyWebhook(bytes, given, endpoint.secret)).toEqual(JSON.parse(text))
    expect(await verifyWebhook(bytes.buffer, given, endpoint.secret)).toEqual(JSON.parse(text))
  })

  it("accepts the contract's own signature alone, under the name of any brand", async () => {
    const { text, headers } = await sendTest()
    const own = { 'Acme-Signature': headers['service-signature'] }
    expect(await verifyWebhook(text, own, endpoint.secret)).toEqual(JSON.parse(text))
  })

  it('accepts the former secret and the new one during a rotation', async () => {
    const { body: rotated } = await shop.post(`/webhooks/${endpoint.uuid}/rotate-secret`)
    const { text, headers } = await sendTest()
    for (const secrets of [rotated.secret, endpoint.secret, ['neither-of-them-here', endpoint.secret]]) {
      expect(await verifyWebhook(text, headers, secrets)).toEqual(JSON.parse(text))
    }
  })

  async function sendTest(): Promise<Received> {
    const before = receiver.received.length
    await shop.post(`/webhooks/${endpoint.uuid}/test`)
    await (await theService()).workers?.deliveries.sweep()
    await receiver.until(before + 1)
    return receiver.received[before] as Received // just waited for
  }
})

describe('verifyWebhook of something else', () => {
  let headers: Record<string, string>

  beforeAll(async () => {
    headers = await signWebhook(body, secret, { id: 'message-1', timestamp: now })
  })

  const own = () => ({ 'service-signature': headers['service-signature'] })
  const cases: [reason: string, what: string, attempt: () => Promise<unknown>][] = [
    ['signature_wrong', 'another body', () => verify({ body: `${body} ` })],
    ['signature_wrong', 'another body, by our own header', () => verify({ body: `${body} `, headers: own() })],
    ['signature_wrong', 'another secret', () => verify({ secret: `${secret}x` })],
    ['signature_wrong', 'another secret, by our own header', () => verify({ secret: 'another', headers: own() })],
    ['signature_wrong', 'another id', () => verify({ headers: { ...headers, 'webhook-id': 'message-2' } })],
    ['signature_wrong', 'another time', () => verify({ headers: { ...headers, 'webhook-timestamp': seconds(1) } })],
    ['signature_wrong', 'signatures behind many others', () => verify({ headers: behind(50) })],
    ['too_old', 'an old message', () => verify({ now: new Date(now.getTime() + 301_000) })],
    ['too_new', 'a message from the future', () => verify({ now: new Date(now.getTime() - 301_000) })],
    ['too_old', 'an old message, by our own header', () => verify({ headers: own(), now: new Date() })],
    ['signature_missing', 'no signature', () => verify({ headers: { 'content-type': 'application/json' } })],
    ['signature_missing', 'an id without its signature', () => verify({ headers: { ...own(), 'webhook-id': 'x' } })],
    ['signature_missing', 'no id', () => verify({ headers: { ...headers, 'webhook-id': undefined } })],
    ['signature_malformed', 'no v1', () => verify({ headers: { ...headers, 'webhook-signature': 'v2,abc' } })],
    ['signature_malformed', 'no time', () => verify({ headers: { ...headers, 'webhook-timestamp': '1e9' } })],
    ['signature_malformed', 'half of our own header', () => verify({ headers: { 'x-signature': 't=1,v1=abc' } })],
    ['no_secret', 'no secret', () => verify({ secret: [] })],
    ['no_secret', 'an empty secret', () => verify({ secret: '' })],
  ]

  it.each(cases)('throws %s: %s', async (reason, _what, attempt) => {
    const error = await attempt().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WebhookError)
    expect(error).toMatchObject({ reason, message: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it.each(['no JSON', '"text"', '{}', '\u0000'])('throws body_malformed for a signed %j', async (text) => {
    const signed = await signWebhook(text, secret, { timestamp: now })
    await expect(verifyWebhook(text, signed, secret, { now })).rejects.toMatchObject({ reason: 'body_malformed' })
  })

  it('throws a TypeError for a parsed body and for a tolerance that is no number', async () => {
    await expect(verifyWebhook(JSON.parse(body), headers, secret, { now })).rejects.toThrow(TypeError)
    await expect(verify({ toleranceSeconds: Number.NaN })).rejects.toThrow(TypeError)
  })

  function verify(changed: {
    body?: string
    headers?: Record<string, string | undefined>
    secret?: string | string[]
    now?: Date
    toleranceSeconds?: number
  }) {
    const given = { body, headers, secret, now, ...changed }
    return verifyWebhook(given.body, given.headers, given.secret, given)
  }

  const seconds = (more: number) => String(now.getTime() / 1_000 + more)
  const behind = (count: number) => ({
    ...headers,
    'webhook-signature': `${`v1,${btoa('x'.repeat(32))} `.repeat(count)}${headers['webhook-signature']}`,
  })
})

describe('signWebhook', () => {
  it('signs as the service does', async () => {
    const signed = await signWebhook(body, [secret, 'the-former-secret'], {
      id: 'message-1',
      timestamp: now,
      brand: 'Acme',
    })
    const keys = [secret, 'the-former-secret'].map((each) => new HmacKey(each))
    const message = { id: 'message-1', timestamp: now.getTime() / 1_000, body: Buffer.from(body) }
    const { 'Acme-Signature': own, ...standard } = signatureHeaders('Acme', keys, message)
    expect(signed).toEqual({ 'content-type': 'application/json', 'acme-signature': own, ...standard })
  })

  it('signs what the standardwebhooks package verifies', async () => {
    const signed = await signWebhook(body, secret)
    const verified = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).verify(body, signed)
    expect(verified).toEqual(JSON.parse(body))
  })
})

describe('events', () => {
  it('are told apart by source, ref and name', () => {
    const read = (event: WebhookEvent) => {
      if (event.ref === 'shipments/delivered/SUCCESSFULLY_DELIVERED') {
        expectTypeOf(event).toEqualTypeOf<ShipmentEvent<'SUCCESSFULLY_DELIVERED'>>()
        expectTypeOf(event.event_data.phase).toEqualTypeOf<'delivered'>()
      }
      if (event.source === 'claims') expectTypeOf(event).toEqualTypeOf<ClaimEvent>()
      return isEvent(event, 'CLAIM_CREATED') ? event.event_data.claim_id : undefined
    }
    const event = { ...JSON.parse(body), event_data: { event_name: 'created', claim_id: 'c-1' } }
    expect(read(event)).toBe('c-1')
    expect(read({ ...event, event_data: { event_name: 'updated', claim_id: 'c-1' } })).toBeUndefined()
  })
})
