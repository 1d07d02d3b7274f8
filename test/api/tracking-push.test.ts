import { afterEach, describe, expect, it } from 'vitest'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { aftershipKeys, type Checkpoint, pushOf } from '../harness/aftership.ts'
import { settle } from '../harness/deliveries.ts'
import { eventKeys, sendParcel } from '../harness/parcels.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

/** A shop whose parcels are tracked by pushes of AfterShip. */
async function pushedShop() {
  const made = await makeShop({ settings: { carriers_enabled: true } })
  const shop = made.as('admin')
  await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['gls'] } })
  await shop.put('/keys/aftership', aftershipKeys)
  const push = (number: string, checkpoints: Checkpoint[], secret?: string) => {
    const { payload, headers } = pushOf(number, checkpoints, secret)
    return call('POST', `/v1/inbound/${made.slug}/carriers/aftership`, { auth: null, payload, headers })
  }
  return { shop, slug: made.slug, push }
}

const ago = (ms: number) => after(clock.now(), -ms)

describe('push of a provider', () => {
  it('becomes events of the parcel, which are published', async () => {
    const { shop, push } = await pushedShop()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    const { number, id } = await sendParcel(shop)
    clock.advance(2 * hourMs)
    const reply = await push(number, [
      { at: ago(hourMs), subtag: 'InTransit_003' },
      { at: ago(minuteMs), subtag: 'OutForDelivery_001' },
    ])
    expect(reply).toMatchObject({ status: 200, text: 'null' })
    await settle()
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('in_delivery')
    expect(receiver.received.map(({ body }) => body.event_data.event_name).slice(-2)).toEqual([
      'ARRIVED_AT_SORTING_CENTER',
      'OUT_FOR_DELIVERY',
    ])
    await receiver.close()
  })

  it('changes nothing if it is sent again, or in another order', async () => {
    const { shop, push } = await pushedShop()
    const receiver = await startReceiver()
    await shop.post('/webhooks', { url: receiver.url })
    const { number, id } = await sendParcel(shop)
    clock.advance(4 * hourMs)
    const [first, second, third] = [
      { at: ago(3 * hourMs), subtag: 'InTransit_003' },
      { at: ago(2 * hourMs), subtag: 'OutForDelivery_001' },
      { at: ago(hourMs), subtag: 'Delivered_001' },
    ] as const
    await push(number, [first, second, third])
    await settle()
    const before = (await shop.get(`/shipments/${id}`)).body
    const sentBefore = receiver.received.length
    for (const checkpoints of [[first, second, third], [third], [second], [first], [third, first]]) {
      expect((await push(number, checkpoints)).status).toBe(200)
    }
    await settle()
    expect((await shop.get(`/shipments/${id}`)).body).toEqual(before)
    expect(receiver.received.length).toBe(sentBefore)
    expect(before.phase).toBe('delivered')
    await receiver.close()
  })

  it('becomes events whatever characters are in it', async () => {
    const { shop, push } = await pushedShop()
    const { number, id } = await sendParcel(shop)
    const half = '📦'.charAt(0)
    const said = [`Sorted\0`, `${half} sorted`, `${'-'.repeat(299)}📦`, 'C:\\users\\u0000']
    for (const [index, message] of said.entries()) {
      const at = ago(hourMs - index * minuteMs)
      expect((await push(number, [{ at, subtag: 'InTransit_003', message }])).status).toBe(200)
      expect((await push(number, [{ at, subtag: `Unheard${message}`, message }])).status).toBe(200)
    }
    expect((await eventKeys(shop, id)).filter((key) => key === 'ARRIVED_AT_SORTING_CENTER')).toHaveLength(said.length)
  })

  it('that is not signed with the secret of the shop is rejected, and nothing is stored', async () => {
    const { shop, slug, push } = await pushedShop()
    const { number, id } = await sendParcel(shop)
    const scans = [{ at: ago(hourMs), subtag: 'InTransit_003' }]
    const refused = { status: 401, body: { key: 'invalid_merchant_or_key' } }
    expect(await push(number, scans, 'another secret')).toMatchObject(refused)
    const { payload, headers } = pushOf(number, scans)
    const path = `/v1/inbound/${slug}/carriers/aftership`
    expect(await call('POST', path, { auth: null, payload })).toMatchObject(refused)
    expect(await call('POST', path, { auth: null, payload: `${payload} `, headers })).toMatchObject(refused)
    const other = await pushedShop()
    await other.shop.put('/keys/aftership', { ...aftershipKeys, webhook_secret: null })
    expect(await other.push(number, scans)).toMatchObject(refused)
    expect(await eventKeys(shop, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
  })

  it('is rejected under the name of a provider that does not push, or is unknown', async () => {
    const { slug } = await pushedShop()
    const { payload, headers } = pushOf('X', [])
    for (const provider of ['dhl', 'sandbox', 'nobody', 'constructor']) {
      const reply = await call('POST', `/v1/inbound/${slug}/carriers/${provider}`, { auth: null, payload, headers })
      expect(reply).toMatchObject({ status: 404, body: { key: 'route_not_found' } })
    }
    const lost = await call('POST', '/v1/inbound/no-such-shop/carriers/aftership', { auth: null, payload, headers })
    expect(lost).toMatchObject({ status: 404, body: { key: 'shop_not_found' } })
  })

  it('applies to the newest shipment with the number, and never to one of another shop', async () => {
    const { shop, push } = await pushedShop()
    const other = await pushedShop()
    const older = await sendParcel(shop)
    const newer = await sendParcel(shop, { tracking_number: older.number })
    const foreign = await sendParcel(other.shop, { tracking_number: older.number })
    await push(older.number, [{ at: ago(hourMs), subtag: 'InTransit_003' }])
    expect(await eventKeys(shop, newer.id)).toContain('ARRIVED_AT_SORTING_CENTER')
    for (const [caller, id] of [[shop, older.id] as const, [other.shop, foreign.id] as const]) {
      expect(await eventKeys(caller, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
    }
    expect((await push('NOBODY-HAS-THIS-NUMBER', [{ at: ago(hourMs), subtag: 'InTransit_003' }])).status).toBe(200)
  })

  it('finds a number that is written in groups', async () => {
    const { shop, push } = await pushedShop()
    const { id } = await sendParcel(shop, { tracking_number: 'ab 12 34 56 78' })
    await push('AB12345678', [{ at: ago(hourMs), subtag: 'InTransit_003' }])
    expect(await eventKeys(shop, id)).toContain('ARRIVED_AT_SORTING_CENTER')
  })

  it('is ignored while updates or the provider are off, and not published while the provider is tested', async () => {
    const { shop, push } = await pushedShop()
    const receiver = await startReceiver()
    const { number, id } = await sendParcel(shop)
    const before = await eventKeys(shop, id)
    await shop.post('/webhooks', { url: receiver.url })
    await shop.patch('/settings/carriers', { shipment_updates: false })
    expect((await push(number, [{ at: ago(hourMs), subtag: 'InTransit_003' }])).status).toBe(200)
    await shop.patch('/settings/carriers', { shipment_updates: true })
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'disabled' } })
    expect((await push(number, [{ at: ago(hourMs), subtag: 'InTransit_003' }])).status).toBe(200)
    expect(await eventKeys(shop, id)).toEqual(before)
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'testing' } })
    await push(number, [{ at: ago(hourMs), subtag: 'InTransit_003' }])
    await settle()
    expect(await eventKeys(shop, id)).toEqual([...before, 'ARRIVED_AT_SORTING_CENTER'].sort())
    expect(receiver.received).toEqual([])
    await receiver.close()
  })

  it('from long before or long after the parcel was sent is ignored', async () => {
    const { shop, push } = await pushedShop()
    const { number, id } = await sendParcel(shop)
    await push(number, [
      { at: ago(200 * dayMs), subtag: 'Delivered_001' },
      { at: ago(-3 * dayMs), subtag: 'Delivered_001' },
    ])
    expect(await eventKeys(shop, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
  })

  it('that is signed but malformed is rejected; one without scans is accepted', async () => {
    const { slug } = await pushedShop()
    const { createHmac } = await import('node:crypto')
    const send = (payload: string) => {
      const signature = createHmac('sha256', aftershipKeys.webhook_secret).update(payload).digest('base64')
      const headers = { 'content-type': 'application/json', 'aftership-hmac-sha256': signature }
      return call('POST', `/v1/inbound/${slug}/carriers/aftership`, { auth: null, payload, headers })
    }
    expect(await send('no json')).toMatchObject({ status: 422, body: { key: 'invalid_payload' } })
    expect(await send('{"event":"something else"}')).toMatchObject({ status: 200, text: 'null' })
  })
})
