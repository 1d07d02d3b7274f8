import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Database } from '../../src/platform/store/database.ts'
import type { Service } from '../../src/service.ts'
import { type AfterShip, aftershipKeys, startAfterShip } from '../harness/aftership.ts'
import { runJobs } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { eventKeys, followParcels, sendParcel } from '../harness/parcels.ts'
import { until } from '../harness/patience.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

let database: Database
let service: Service
let aftership: AfterShip

beforeAll(async () => {
  aftership = await startAfterShip()
  database = await openTestDatabase()
  service = await startTestService({}, database, { providerUrls: { aftership: aftership.url } })
})
beforeEach(() => {
  aftership.registered.length = 0
  aftership.polled.length = 0
  aftership.polledTwice.length = 0
  aftership.failure = undefined
  aftership.respondsAfterMs = 0
})
afterEach(() => clock.reset())
afterAll(async () => {
  await service.stop()
  await aftership.close()
})

/** A shop whose parcels AfterShip tracks; without a webhook secret they are polled. */
async function followedShop(
  options: { pushes?: boolean; status?: string; isOn?: boolean } = {},
): Promise<{ shop: ShopCaller; slug: string }> {
  const made = await makeShop({ settings: { carriers_enabled: options.isOn ?? true } }, service)
  const shop = made.as('admin')
  const { api_key, webhook_secret } = aftershipKeys
  await shop.put('/keys/aftership', { api_key, ...(options.pushes ? { webhook_secret } : {}) })
  await shop.patch('/settings/carriers/providers', { aftership: { status: options.status ?? 'live' } })
  return { shop, slug: made.slug }
}

const follow = () => followParcels(service)

/** Registers a parcel and moves the clock to its first poll. */
async function registered(shop: ShopCaller): Promise<{ number: string; id: string; orderId: string }> {
  const parcel = await sendParcel(shop)
  await follow()
  return parcel
}

function scan(number: string, subtag: string, at = clock.now(), message?: string): void {
  aftership.scans.set(number, [
    ...(aftership.scans.get(number) ?? []),
    { at, subtag, ...(message === undefined ? {} : { message }) },
  ])
}

async function pollAfter(ms: number): Promise<void> {
  clock.advance(ms)
  await follow()
}

const registrations = (number: string) => aftership.registered.filter((each) => each === number).length
const pollCount = (number: string) => aftership.polled.filter((numbers) => numbers.includes(number)).length

async function webhookOf(shop: ShopCaller) {
  const receiver = await startReceiver()
  await shop.post('/webhooks', { url: `${receiver.url}/hook` })
  return receiver
}

describe('sent parcel', () => {
  it('is registered once and polled, and its scans become published events', async () => {
    const { shop } = await followedShop()
    const receiver = await webhookOf(shop)
    const { number, id } = await registered(shop)
    expect(registrations(number)).toBe(1)
    scan(number, 'InTransit_003', clock.now(), 'Arrived in Leipzig')
    await pollAfter(12 * minuteMs)
    expect(registrations(number)).toBe(1)
    expect(pollCount(number)).toBe(1)
    const { body } = await shop.get(`/shipments/${id}`)
    expect(body).toMatchObject({ phase: 'in_transit', flag: 'normal' })
    expect(body.events.at(-1)).toMatchObject({
      event_key: 'ARRIVED_AT_SORTING_CENTER',
      location: { city: 'Leipzig', country_code: 'DE' },
    })
    expect(receiver.received.map((each) => each.body.event_data.event_name)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'ARRIVED_AT_SORTING_CENTER',
    ])
    const timeline = (await shop.get(`/shipments/${id}/timeline`)).body
    expect(JSON.stringify(timeline)).toContain('carrier')
    await receiver.close()
  })

  it('is polled as often as its phase requires, and known scans change nothing', async () => {
    const { shop } = await followedShop()
    const receiver = await webhookOf(shop)
    const { number, id } = await registered(shop)
    scan(number, 'InTransit_003')
    await pollAfter(12 * minuteMs)
    await pollAfter(2 * hourMs)
    expect(pollCount(number)).toBe(1)
    await pollAfter(2 * hourMs)
    expect(pollCount(number)).toBe(2)
    const sentBefore = receiver.received.length
    scan(number, 'OutForDelivery_001')
    // A scan that is reported late.
    scan(number, 'InTransit_007', after(clock.now(), -3 * hourMs))
    await pollAfter(4 * hourMs)
    expect(pollCount(number)).toBe(3)
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('in_delivery')
    expect(receiver.received.length).toBe(sentBefore + 2)
    await pollAfter(12 * minuteMs)
    await pollAfter(12 * minuteMs)
    expect(pollCount(number)).toBe(5)
    expect(receiver.received.length).toBe(sentBefore + 2)
    expect(await eventKeys(shop, id)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
      'ARRIVED_AT_SORTING_CENTER',
      'DISPATCHED_FROM_SORTING_CENTER',
      'OUT_FOR_DELIVERY',
    ])
    await receiver.close()
  })

  it('is polled once more a day after its delivery, and never again', async () => {
    const { shop } = await followedShop()
    const { number, id } = await registered(shop)
    scan(number, 'Delivered_001')
    await pollAfter(12 * minuteMs)
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('delivered')
    await pollAfter(20 * hourMs)
    expect(pollCount(number)).toBe(1)
    await pollAfter(5 * hourMs)
    expect(pollCount(number)).toBe(2)
    await pollAfter(3 * dayMs)
    expect(pollCount(number)).toBe(2)
    expect((await shop.get('/settings/carriers/providers')).body.aftership.health.parcels_followed).toBe(0)
  })

  it('is no longer polled 90 days after it was sent', async () => {
    const { shop } = await followedShop()
    const { number } = await registered(shop)
    await pollAfter(91 * dayMs)
    expect(pollCount(number)).toBe(1)
    await pollAfter(5 * dayMs)
    expect(pollCount(number)).toBe(1)
  })

  it('is polled rarely if its provider pushes', async () => {
    const { shop } = await followedShop({ pushes: true })
    const { number } = await registered(shop)
    await pollAfter(8 * hourMs)
    expect(pollCount(number)).toBe(0)
    await pollAfter(6 * hourMs)
    expect(pollCount(number)).toBe(1)
  })

  it('is not published while its provider is only tested', async () => {
    const { shop } = await followedShop({ status: 'testing' })
    const receiver = await webhookOf(shop)
    const { number, id } = await registered(shop)
    scan(number, 'OutForDelivery_001')
    await pollAfter(12 * minuteMs)
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('in_delivery')
    expect(receiver.received.map((each) => each.body.event_data.event_name)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
    ])
    await receiver.close()
  })

  it('is no longer tracked after its shipment is deleted, and tracked again with another carrier', async () => {
    const { shop } = await followedShop()
    const [deleted, moved] = [await registered(shop), await registered(shop)]
    await shop.delete(`/orders/${deleted.orderId}/shipments/${deleted.number}`)
    const change = [{ tracking_number: moved.number, carrier_reference: 'gls' }]
    await shop.put('/orders', { id: moved.orderId, id_type: 'uuid', trackings: change })
    await follow()
    expect(registrations(moved.number)).toBe(2)
    await pollAfter(12 * minuteMs)
    expect([pollCount(deleted.number), pollCount(moved.number)]).toEqual([0, 1])
  })

  it('has an expected delivery even if nothing was scanned', async () => {
    const { shop } = await followedShop()
    const { number, id } = await registered(shop)
    const { respond } = aftership
    aftership.respond = (request) => {
      const said = respond(request)
      if (said === 'hang' || 'held' in said || request.body) return said
      const reply = JSON.parse(said.body ?? '{}')
      for (const tracking of reply.data.trackings) {
        tracking.latest_estimated_delivery = { type: 'specific', datetime: '2026-12-24T10:00:00+01:00' }
      }
      return { ...said, body: JSON.stringify(reply) }
    }
    await pollAfter(12 * minuteMs)
    await pollAfter(14 * hourMs)
    aftership.respond = respond
    expect(pollCount(number)).toBe(2)
    const { body } = await shop.get(`/shipments/${id}`)
    expect(body.estimated_arrival).toMatchObject({ start: '2026-12-23T23:00:00.000Z', source: 'carrier' })
    expect(await eventKeys(shop, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED', 'SHIPMENT_UPDATED_ETA'])
  })
})

describe('switch for updates', () => {
  it('off stops polling at once and drops results in flight; on resumes', async () => {
    const { shop } = await followedShop()
    const { number, id } = await registered(shop)
    scan(number, 'InTransit_003')
    const { respond } = aftership
    aftership.respond = (request) => ({ held: respond(request) as { status: number; body: string } }) // it never hangs
    clock.advance(12 * minuteMs)
    const polling = follow()
    await until(() => (pollCount(number) > 0 ? true : undefined))
    await shop.patch('/settings/carriers', { shipment_updates: false })
    aftership.release()
    await polling
    expect(await eventKeys(shop, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
    aftership.respond = respond
    await pollAfter(dayMs)
    expect(pollCount(number)).toBe(1)
    const unfollowed = await sendParcel(shop)
    await pollAfter(dayMs)
    expect(aftership.registered).not.toContain(unfollowed.number)

    await shop.patch('/settings/carriers', { shipment_updates: true })
    await follow()
    expect(pollCount(number)).toBe(2)
    expect(aftership.registered).toContain(unfollowed.number)
    expect(await eventKeys(shop, id)).toContain('ARRIVED_AT_SORTING_CENTER')
  })

  it('on starts tracking what is in transit, and nothing that has arrived or was sent long ago', async () => {
    const { shop, slug } = await followedShop({ isOn: false })
    const parcels = [await sendParcel(shop), await sendParcel(shop)]
    const longAgo = after(clock.now(), -100 * dayMs).toISOString()
    const old = { number: uniqueNumber('P') }
    await createOrder(shop, { order_placed_at: longAgo }, [
      { tracking_number: old.number, carrier_reference: 'dhl', tracking_placed_at: longAgo },
    ])
    const arrived = await sendParcel(shop)
    await shop.post('/shipment-events', { id: arrived.number, event_name: 'SUCCESSFULLY_DELIVERED' })
    await shop.patch('/settings/carriers', { shipment_updates: true })
    await follow()
    for (const { number } of parcels) expect(registrations(number)).toBe(1)
    for (const { number } of [old, arrived]) expect(registrations(number)).toBe(0)
    expect(await enrolments(slug)).toBe(1)
    await pollAfter(2 * minuteMs)
    expect(await enrolments(slug)).toBe(0)
  })

  it('of a provider does the same, and its parcels are polled when it is live', async () => {
    const { shop } = await followedShop({ status: 'disabled' })
    const { number } = await sendParcel(shop)
    await follow()
    expect(registrations(number)).toBe(0)
    await shop.patch('/settings/carriers/providers', { aftership: { status: 'live', disabled_carriers: ['dhl'] } })
    await follow()
    expect(registrations(number)).toBe(0)
    await shop.patch('/settings/carriers/providers', { aftership: { disabled_carriers: [] } })
    await follow()
    expect(registrations(number)).toBe(1)
  })

  it('ends what has not been tracked for 90 days', async () => {
    const { shop } = await followedShop({ status: 'disabled' })
    const { id } = await sendParcel(shop)
    clock.advance(91 * dayMs)
    await runJobs(service)
    const row = await database.db
      .selectFrom('tracked_parcels')
      .where('shipment_id', '=', id)
      .select('finished_at')
      .executeTakeFirstOrThrow()
    expect(row.finished_at).not.toBeNull()
  })
})

async function enrolments(slug: string): Promise<number> {
  const rows = await database.db
    .selectFrom('parcel_enrolments')
    .innerJoin('shops', 'shops.id', 'parcel_enrolments.shop_id')
    .where('slug', '=', slug)
    .select('slug')
    .execute()
  return rows.length
}

describe('provider that fails', () => {
  const healthOf = async (shop: ShopCaller) => (await shop.get('/settings/carriers/providers')).body.aftership.health

  it('is not called for as long as it requests, for all its parcels, and its health shows that', async () => {
    const { shop } = await followedShop()
    const parcels = [await registered(shop), await registered(shop)]
    expect(await healthOf(shop)).toMatchObject({ failing_since: null, paused_until: null, parcels_followed: 2 })
    aftership.failure = { status: 429, headers: { 'retry-after': '1800' } }
    await pollAfter(12 * minuteMs)
    const before = parcels.map(({ number }) => pollCount(number))
    const failing = await healthOf(shop)
    expect(failing).toMatchObject({ last_failure_status: 429, last_failure_detail: expect.stringContaining('429') })
    expect(Date.parse(failing.paused_until) - clock.now().getTime()).toBeGreaterThan(29 * minuteMs)
    expect(failing.failing_since).not.toBeNull()
    aftership.failure = undefined
    const late = await sendParcel(shop)
    await pollAfter(25 * minuteMs)
    expect(registrations(late.number)).toBe(0)
    expect(parcels.map(({ number }) => pollCount(number))).toEqual(before)
    await pollAfter(6 * minuteMs)
    expect(registrations(late.number)).toBe(1)
    expect(parcels.map(({ number }) => pollCount(number))).toEqual(before.map((count) => count + 1))
    expect(await healthOf(shop)).toMatchObject({ failing_since: null, paused_until: null })
    expect((await healthOf(shop)).last_success_at).not.toBeNull()
  })

  it('is called less and less often while it is unavailable', async () => {
    const { shop } = await followedShop()
    const { number } = await registered(shop)
    aftership.failure = { status: 503 }
    clock.advance(12 * minuteMs)
    const tries: number[] = []
    for (let minute = 0; minute < 240; minute += 1) {
      const before = pollCount(number)
      await service.workers?.parcels.sweep()
      await service.workers?.parcels.idle()
      if (pollCount(number) > before) tries.push(minute)
      clock.advance(minuteMs)
    }
    const pauses = tries.slice(1).map((minute, index) => minute - (tries[index] ?? 0))
    expect(pauses.length).toBeGreaterThan(4)
    expect(pauses.length).toBeLessThan(12)
    expect(pauses.at(-1)).toBeGreaterThan((pauses[0] ?? 0) * 8)
  })

  it('that rejects the key is called again when there is another', async () => {
    const { shop } = await followedShop()
    const { number } = await registered(shop)
    aftership.failure = { status: 401 }
    await pollAfter(12 * minuteMs)
    expect(await healthOf(shop)).toMatchObject({ last_failure_status: 401 })
    aftership.failure = undefined
    await pollAfter(5 * minuteMs)
    expect(pollCount(number)).toBe(1)
    await shop.put('/keys/aftership', { api_key: 'asat_another-key-of-it' })
    await follow()
    expect(pollCount(number)).toBe(2)
  })

  it('for one parcel is still called for the others', async () => {
    const { shop } = await followedShop()
    const parcels = [await registered(shop), await registered(shop), await registered(shop)]
    const [bad] = parcels
    const { respond } = aftership
    aftership.respond = (request) => {
      const said = respond(request)
      return request.path.includes(bad?.number ?? '') ? { status: 400, body: '{}' } : said
    }
    for (const { number } of parcels) scan(number, 'InTransit_003')
    await pollAfter(12 * minuteMs)
    await pollAfter(2 * minuteMs)
    aftership.respond = respond
    const phases = []
    for (const { id } of parcels) phases.push((await shop.get(`/shipments/${id}`)).body.phase)
    expect(phases).toEqual(['order_processed', 'in_transit', 'in_transit'])
    expect(await healthOf(shop)).toMatchObject({ last_failure_status: 400, paused_until: null })
  })
})

describe('corrected parcel', () => {
  it('is registered and polled at its new carrier', async () => {
    const { shop } = await followedShop()
    const parcel = await registered(shop)
    expect(registrations(parcel.number)).toBe(1)
    const path = `/orders/${parcel.orderId}/shipments/${parcel.id}`
    const { status, body } = await shop.patch(path, { carrier_reference: 'gls' })
    expect(status).toBe(200)
    expect(body.carrier).toMatchObject({ carrier_reference: 'gls', tracking_number: parcel.number })
    expect(body.carrier.tracking_url).toMatch(/gls/)
    await follow()
    expect(registrations(parcel.number)).toBe(2)
    expect((await shop.patch(path, { carrier_reference: 'GLS' })).status).toBe(200)
    await follow()
    expect(registrations(parcel.number)).toBe(2)
  })

  it('with another number has none of the scans of the former one', async () => {
    const { shop } = await followedShop()
    const parcel = await registered(shop)
    scan(parcel.number, 'InTransit_001')
    await pollAfter(dayMs)
    expect(await eventKeys(shop, parcel.id)).toHaveLength(3)
    const number = uniqueNumber('NEW')
    const path = `/orders/${parcel.orderId}/shipments/${parcel.id}`
    const { body } = await shop.patch(path, { tracking_number: number })
    expect(body).toMatchObject({
      phase: 'order_processed',
      carrier: { tracking_number: number, carrier_reference: 'dhl' },
    })
    expect(body.carrier.tracking_url).toContain(number)
    expect(await eventKeys(shop, parcel.id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
    await follow()
    expect(registrations(number)).toBe(1)
    scan(number, 'OutForDelivery_001')
    await pollAfter(dayMs)
    expect(await eventKeys(shop, parcel.id)).toHaveLength(3)
  })

  it('with a number that no carrier is known for is polled no longer, under either number', async () => {
    const { shop } = await followedShop()
    const former = '1Z999AA10123456784'
    const { id, orderId } = await sendParcel(shop, { tracking_number: former, carrier_reference: undefined })
    await follow()
    expect(registrations(former)).toBe(1)
    await pollAfter(12 * minuteMs)
    const polls = pollCount(former)
    expect(polls).toBe(1)
    const number = uniqueNumber('x-')
    const { body } = await shop.patch(`/orders/${orderId}/shipments/${id}`, { tracking_number: number })
    expect(body.carrier).toMatchObject({ tracking_number: number, carrier_reference: null })
    await pollAfter(dayMs)
    await pollAfter(dayMs)
    expect([pollCount(former), registrations(number), pollCount(number)]).toEqual([polls, 0, 0])
  })
})

describe('parcels of the sandbox', () => {
  it('move exactly at the times in their number', async () => {
    const shop = (await makeShop({ settings: { carriers_enabled: true } }, service)).as('admin')
    const { id } = await sendParcel(shop, { tracking_number: 'SBX-DELIVERED-1H-1', carrier_reference: 'sandbox' })
    await follow()
    expect(await eventKeys(shop, id)).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED'])
    await pollAfter(59 * minuteMs)
    expect(await eventKeys(shop, id)).toHaveLength(2)
    await pollAfter(minuteMs)
    expect(await eventKeys(shop, id)).toHaveLength(3)
    await pollAfter(hourMs)
    expect(await eventKeys(shop, id)).toHaveLength(4)
    for (let hour = 0; hour < 12; hour += 1) await pollAfter(hourMs)
    expect((await shop.get(`/shipments/${id}`)).body.phase).toBe('delivered')
    const row = await database.db
      .selectFrom('tracked_parcels')
      .where('shipment_id', '=', id)
      .select('finished_at')
      .executeTakeFirstOrThrow()
    expect(row.finished_at).not.toBeNull()
  })
})
