import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { followParcels } from '../harness/parcels.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

/** The provider's data for each number, as it returns and pushes it. */
const known = new Map<string, Record<string, unknown>>()
let provider: Receiver
let database: Database
let service: Service

beforeAll(async () => {
  provider = await startReceiver()
  provider.respond = ({ path, body }) => {
    if (body) return { status: 201, body: JSON.stringify({ meta: { code: 201 }, data: { id: 'id' }, id: 'trk_1' }) }
    const query = new URL(path, provider.url).searchParams
    const numbers = (query.get('tracking_numbers') ?? query.get('tracking_code') ?? '').split(',')
    const trackings = numbers.flatMap((number) => known.get(number) ?? [])
    return { status: 200, body: JSON.stringify({ data: { trackings }, trackers: trackings }) }
  }
  database = await openTestDatabase()
  const providerUrls = { aftership: provider.url, easypost: provider.url }
  service = await startTestService({}, database, { providerUrls })
})
afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await provider.close()
})

type Pushing = 'aftership' | 'easypost'
const secret = 'hook-secret-of-the-tests'

async function makePushedShop(name: Pushing) {
  const made = await makeShop({ settings: { carriers_enabled: true } }, service)
  const shop = made.as('admin')
  await shop.put(`/keys/${name}`, { api_key: 'key-of-the-tests', webhook_secret: secret })
  await shop.patch('/settings/carriers/providers', { [name]: { status: 'live' } })
  const push = async (tracking: Record<string, unknown>) => {
    const isAftership = name === 'aftership'
    const payload = JSON.stringify(
      isAftership ? { event: 'tracking_update', msg: tracking } : { description: 'tracker.updated', result: tracking },
    )
    const signed = createHmac('sha256', secret).update(payload)
    const headers: Record<string, string> = isAftership
      ? { 'aftership-hmac-sha256': signed.digest('base64') }
      : { 'x-hmac-signature': `hmac-sha256-hex=${signed.digest('hex')}` }
    const reply = await call(
      'POST',
      `/v1/inbound/${made.slug}/carriers/${name}`,
      { auth: null, payload, headers: { 'content-type': 'application/json', ...headers } },
      service,
    )
    expect(reply.status).toBe(200)
  }
  return { shop, push }
}

/** The time as clocks show it somewhere, without saying where, and the day of an estimate. */
const local = (at: Date) => at.toISOString().slice(0, 19)
const day = (at: Date) => `${at.toISOString().slice(0, 10)}T00:00:00Z`

function trackingOf(name: Pushing, number: string, state: string | undefined): Record<string, unknown> {
  const at = after(clock.now(), 2 * hourMs)
  const arrives = after(clock.now(), 3 * dayMs)
  if (name === 'aftership') {
    return {
      tracking_number: number,
      slug: 'dhl-germany',
      destination_country_region: null,
      destination_state: state ?? null,
      latest_estimated_delivery: { type: 'specific', datetime: day(arrives).slice(0, 10) },
      checkpoints: [
        { checkpoint_time: local(at), tag: 'InTransit', subtag: 'InTransit_003', message: 'Processed' },
        { checkpoint_time: local(after(at, hourMs)), tag: 'OutForDelivery', subtag: 'OutForDelivery_001' },
      ],
    }
  }
  return {
    tracking_code: number,
    carrier: 'DHLExpress',
    est_delivery_date: day(arrives),
    carrier_detail: { destination_tracking_location: { city: null, state: state ?? null, country: null } },
    tracking_details: [
      { status: 'in_transit', status_detail: 'arrived_at_facility', datetime: `${local(at)}Z`, message: 'Processed' },
    ],
  }
}

async function sendTo(shop: ShopCaller, country: string, fields: Record<string, unknown> = {}) {
  const number = uniqueNumber('P')
  const order = await createOrder(
    shop,
    { order_placed_at: undefined, address: { name: 'Ada Example', country_code: country, zip_code: '2000' } },
    [{ tracking_number: number, carrier_reference: 'dhl-express', ...fields }],
  )
  return { number: String(fields.tracking_number ?? number), id: order.trackings[0].id }
}

/** The carrier's part of a shipment, as the API shows it. */
async function shownOf(shop: ShopCaller, id: string) {
  const { events, estimated_arrival, phase } = (await shop.get(`/shipments/${id}`)).body
  return { events, phase, arrival: [estimated_arrival?.start, estimated_arrival?.end] }
}

/** Twice the longest interval: the first may be spent on registering what the limit had postponed. */
async function poll(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    clock.advance(14 * hourMs)
    await followParcels(service)
  }
}

describe.each(['aftership', 'easypost'] as const)('push and poll › %s', (name) => {
  it.each([
    ['AU', undefined],
    ['US', undefined],
    ['US', 'CA'],
    ['JP', undefined],
    ['GB', undefined],
  ])('read the same content alike for a parcel to %s (state %s)', async (country, state) => {
    const { shop, push } = await makePushedShop(name)
    const { number, id } = await sendTo(shop, country)
    const tracking = trackingOf(name, number, state)
    await followParcels(service)
    clock.advance(5 * hourMs)
    await push(tracking)
    const pushed = await shownOf(shop, id)
    known.set(number, tracking)
    await poll()
    expect(await shownOf(shop, id)).toEqual(pushed)
    await push(tracking)
    expect(await shownOf(shop, id)).toEqual(pushed)
    expect(pushed.arrival).not.toContain(undefined)
    expect(
      pushed.events.filter(({ event_key }: { event_key: string }) => event_key === 'SHIPMENT_UPDATED_ETA'),
    ).toEqual([])
  })

  it('read a return without the destination of its order', async () => {
    const { shop, push } = await makePushedShop(name)
    const number = uniqueNumber('R')
    const order = await createOrder(shop, { order_placed_at: undefined, address: { country_code: 'AU' } })
    const back = { tracking_number: number, carrier_reference: 'dhl-express', direction: 'customer_merchant' }
    const made = await shop.post('/shipments', { order_id: order.uuid, order_id_type: 'uuid', ...back })
    const id = made.body.uuid
    const tracking = trackingOf(name, number, undefined)
    known.set(number, tracking)
    await followParcels(service)
    await poll()
    const polled = await shownOf(shop, id)
    expect(polled.arrival[0]).toMatch(/T00:00:00.000Z$/)
    await push(tracking)
    expect(await shownOf(shop, id)).toEqual(polled)
  })

  it('read a number of several parcels each with its own destination', async () => {
    const { shop, push } = await makePushedShop(name)
    const older = await sendTo(shop, 'AU')
    const newer = await sendTo(shop, 'US', { tracking_number: older.number })
    const tracking = trackingOf(name, older.number, undefined)
    known.set(older.number, tracking)
    await followParcels(service)
    await poll()
    const polled = [await shownOf(shop, older.id), await shownOf(shop, newer.id)]
    expect(polled[0]?.arrival).not.toEqual(polled[1]?.arrival)
    await push(tracking)
    expect([await shownOf(shop, older.id), await shownOf(shop, newer.id)]).toEqual(polled)
  })
})
