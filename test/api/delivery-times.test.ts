import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

// A store of its own: in the shared one, the job would count the days of all shops of this process.
const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
await service.schedule.stop()
afterEach(() => clock.reset())

const newShop = async () => (await makeShop({}, service)).as('admin')

interface Sent {
  placed: string
  fulfilled?: string
  delivered: string
  carrier?: string
  country?: string
  service?: string
  method?: string
}

/** A parcel that was delivered; returns its tracking number. */
async function deliver(shop: ShopCaller, sent: Sent): Promise<string> {
  const parcel = uniqueNumber('TIME')
  const order = {
    order_placed_at: sent.placed,
    ...(sent.method ? { shipping_method: sent.method } : {}),
    address: { name: 'Ada Example', country_code: sent.country ?? 'DE', zip_code: '10115' },
  }
  const tracking = {
    tracking_number: parcel,
    tracking_placed_at: sent.fulfilled ?? sent.placed,
    carrier_reference: sent.carrier ?? 'dhl',
    ...(sent.service ? { service: sent.service } : {}),
  }
  const { status, text } = await shop.put('/orders', upsertOf(uniqueNumber(), order, [tracking]))
  if (status !== 200) throw new Error(text)
  await shop.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time: sent.delivered })
  return parcel
}

// Wednesday, 14 October 2026, is no public holiday in any of these countries.
const period = { from: '2026-09-28', to: '2026-10-18' }
const thursday = '2026-10-08T12:00:00Z'
const friday = '2026-10-09T12:00:00Z'
const monday = '2026-10-12T12:00:00Z'

const timesOf = async (shop: ShopCaller, query = {}) =>
  (await shop.get('/analytics/delivery-times', { ...period, ...query })).body
const parcelsOf = async (shop: ShopCaller, query = {}) =>
  (await shop.get('/analytics/delivery-times/parcels', { ...period, ...query })).body

describe('delivery times', () => {
  it('are counted in business and calendar days, since the order and since it was sent', async () => {
    const shop = await newShop()
    await deliver(shop, { placed: thursday, fulfilled: friday, delivered: monday })
    const { total, rows, weeks } = await timesOf(shop)
    const times = {
      delivered: 1,
      since_placed: { measured: 1, business: { median: 2, p90: 2 }, calendar: { median: 4, p90: 4 } },
      since_fulfilled: { measured: 1, business: { median: 1, p90: 1 }, calendar: { median: 3, p90: 3 } },
      target: null,
    }
    expect(total).toMatchObject({ ...times, carrier_reference: null, week: null })
    expect(rows).toEqual([expect.objectContaining({ ...times, carrier_reference: 'dhl', carrier_name: 'DHL' })])
    expect(weeks.map((row: { week: string; delivered: number }) => [row.week, row.delivered])).toEqual([
      ['2026-09-28', 0],
      ['2026-10-05', 0],
      ['2026-10-12', 1],
    ])
  })

  it('are grouped and filtered by carrier, country, service and week', async () => {
    const shop = await newShop()
    await deliver(shop, { placed: thursday, delivered: monday, service: 'DHL Paket' })
    await deliver(shop, { placed: thursday, delivered: friday, service: 'DHL Paket', country: 'AT' })
    await deliver(shop, { placed: thursday, delivered: friday, carrier: 'ups', method: 'Express' })
    await deliver(shop, { placed: thursday, delivered: friday, carrier: 'ups' })
    const { rows, is_truncated } = await timesOf(shop, { group_by: 'carrier,country,service,week' })
    const named = rows.map((row: Record<string, unknown>) => [
      row.carrier_reference,
      row.country,
      row.service,
      row.week,
      row.delivered,
    ])
    expect(named).toHaveLength(4)
    expect(named).toEqual(
      expect.arrayContaining([
        ['dhl', 'AT', 'DHL Paket', '2026-10-05', 1],
        ['dhl', 'DE', 'DHL Paket', '2026-10-12', 1],
        ['ups', 'DE', 'Express', '2026-10-05', 1],
        ['ups', 'DE', null, '2026-10-05', 1],
      ]),
    )
    expect(is_truncated).toBe(false)
    const delivered = async (query: object) => (await timesOf(shop, query)).total.delivered
    expect(await delivered({ carrier: 'UPS' })).toBe(2)
    expect(await delivered({ country: 'at' })).toBe(1)
    expect(await delivered({ service: 'none' })).toBe(1)
    expect(await delivered({ carrier: 'ups', service: 'Express' })).toBe(1)
    expect(await delivered({ carrier: 'none' })).toBe(0)
    const weeks = await timesOf(shop, { group_by: 'week' })
    expect(weeks.rows.map((row: { week: string }) => row.week)).toEqual(['2026-10-05', '2026-10-12'])
  })

  it('are held against the target of the shop, in the days and from the start that it names', async () => {
    const shop = await newShop()
    for (let count = 0; count < 9; count += 1) await deliver(shop, { placed: thursday, delivered: monday })
    const { body } = await shop.patch('/settings/delivery-target', { days: 2 })
    expect(body).toEqual({ days: 2, unit: 'business', since: 'placed' })
    expect((await timesOf(shop)).total.target).toEqual({ measured: 9, met: 9, rate: null })
    await deliver(shop, { placed: '2026-10-07T12:00:00Z', fulfilled: friday, delivered: monday })
    expect((await timesOf(shop)).total.target).toEqual({ measured: 10, met: 9, rate: 0.9 })
    await shop.patch('/settings/delivery-target', { unit: 'calendar' })
    expect((await timesOf(shop)).total.target).toEqual({ measured: 10, met: 0, rate: 0 })
    await shop.patch('/settings/delivery-target', { days: 3, since: 'fulfilled' })
    const times = await timesOf(shop)
    expect(times.total.target).toEqual({ measured: 10, met: 1, rate: 0.1 })
    expect(times.target).toEqual({ days: 3, unit: 'calendar', since: 'fulfilled' })
    await shop.patch('/settings/delivery-target', { days: null })
    expect((await timesOf(shop)).target).toBeNull()
    expect((await shop.get('/settings/delivery-target')).body.days).toBeNull()
    const tooLong = await shop.patch('/settings/delivery-target', { days: 61 })
    expect(tooLong.status).toBe(422)
    expect(tooLong.body.errors[0]).toMatchObject({ loc: ['body', 'days'], msg: 'must be at most 60' })
  })

  it('follow an order that is dated anew, and a delivery that moves', async () => {
    const shop = await newShop()
    const parcel = await deliver(shop, { placed: thursday, delivered: monday })
    await rollUpFigures(service.context())
    clock.advance(hourMs)
    const [{ order_number }] = (await parcelsOf(shop)).parcels
    await shop.put('/orders', upsertOf(order_number, { order_placed_at: friday }))
    expect((await timesOf(shop)).total.since_placed.calendar.median).toBe(3)
    await rollUpFigures(service.context())
    expect((await timesOf(shop)).total.since_placed.calendar.median).toBe(3)
    await shop.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time: friday })
    clock.advance(hourMs)
    await rollUpFigures(service.context())
    expect((await timesOf(shop)).weeks.map((row: { delivered: number }) => row.delivered)).toEqual([0, 1, 0])
  })

  it('leave out returns, and journeys whose start is after their delivery', async () => {
    const shop = await newShop()
    await deliver(shop, { placed: monday, delivered: friday })
    const number = uniqueNumber()
    await shop.put('/orders', upsertOf(number, { order_placed_at: thursday }))
    const back = uniqueNumber('BACK')
    await shop.post('/shipments', { order_id: number, order_id_type: 'order_number', tracking_number: back })
    await shop.post('/shipment-events', { id: back, event_name: 'SUCCESSFULLY_DELIVERED', event_time: monday })
    const none = { measured: 0, business: null, calendar: null }
    expect((await timesOf(shop)).total).toMatchObject({ delivered: 1, since_placed: none, since_fulfilled: none })
  })

  it('keep the most frequent groups of a day, and the rest without names', async () => {
    const shop = await newShop()
    await deliver(shop, { placed: thursday, delivered: monday, service: 'often' })
    const [{ shipment_id }] = (await parcelsOf(shop)).parcels
    const copy = (count: number, name: ReturnType<typeof sql>) =>
      sql`insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, service, direction, phase,
          flag, current_event_key, current_event_at, latest_event_at, destination_country, placed_at, delivered_at,
          created_at, updated_at)
        select shop_id, gen_random_uuid(), order_id, gen_random_uuid()::text, carrier_reference, ${name}, direction,
          phase, flag, current_event_key, current_event_at, latest_event_at, destination_country, placed_at,
          delivered_at, created_at, updated_at
        from shipments, generate_series(1, ${sql.lit(count)}) as n where id = ${shipment_id}`.execute(
        service.database.db,
      )
    await copy(1, sql`service`)
    await copy(600, sql`'Service ' || n`)
    const { total, rows } = await timesOf(shop, { group_by: 'service' })
    expect(total.delivered).toBe(602)
    expect(rows).toHaveLength(501)
    expect(rows[0]).toMatchObject({ service: null, delivered: 101 })
    expect(rows[1]).toMatchObject({ service: 'often', delivered: 2 })
    // Parcels are found whether or not their group has a name of its own.
    expect((await parcelsOf(shop, { service: 'Service 1' })).parcels).toHaveLength(1)
    expect((await parcelsOf(shop, { service: 'Service 99' })).parcels).toHaveLength(1)
  })
})

describe('parcels behind a figure', () => {
  it('are listed newest first, page by page', async () => {
    const shop = await newShop()
    const numbers: string[] = []
    for (let hour = 0; hour < 7; hour += 1) {
      // Two at a time are delivered at the same moment.
      const delivered = after(new Date(friday), Math.floor(hour / 2) * dayMs).toISOString()
      numbers.unshift(await deliver(shop, { placed: thursday, delivered }))
    }
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const page = await parcelsOf(shop, { per_page: 2, ...(cursor ? { cursor } : {}) })
      expect(page.total).toBe(7)
      seen.push(...page.parcels.map((parcel: { tracking_number: string }) => parcel.tracking_number))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(numbers.toSorted())
    expect(seen[0]).toBe(numbers[0])
    expect((await shop.get('/analytics/delivery-times/parcels', { ...period, cursor: 'x' })).status).toBe(422)
  })

  it('have their days, and are found by outcome and week', async () => {
    const shop = await newShop()
    const [early, held, late] = [
      await deliver(shop, { placed: thursday, delivered: friday, service: 'DHL Paket' }),
      await deliver(shop, { placed: thursday, delivered: monday, service: 'DHL Paket' }),
      await deliver(shop, { placed: thursday, delivered: '2026-10-14T12:00:00Z', service: 'DHL Paket' }),
    ]
    await sql`update shipments set predicted_from = '2026-10-11T00:00:00Z', predicted_to = '2026-10-13T00:00:00Z'
      where tracking_number in (${early}, ${held}, ${late})`.execute(service.database.db)
    await shop.patch('/settings/delivery-target', { days: 1 })
    const found = async (query: object) => {
      const { parcels, total } = await parcelsOf(shop, query)
      expect(total).toBe(parcels.length)
      return parcels.map((parcel: { tracking_number: string }) => parcel.tracking_number)
    }
    expect(await found({})).toEqual([late, held, early])
    expect(await found({ outcome: 'on_target' })).toEqual([early])
    expect(await found({ outcome: 'over_target' })).toEqual([late, held])
    expect(await found({ outcome: 'on_time' })).toEqual([held, early])
    expect(await found({ outcome: 'late' })).toEqual([late])
    expect(await found({ outcome: 'held' })).toEqual([held])
    expect(await found({ outcome: 'early' })).toEqual([early])
    expect(await found({ outcome: 'window_late' })).toEqual([late])
    expect(await found({ week: '2026-10-12', service: 'DHL Paket' })).toEqual([late, held])
    expect(await found({ week: '2026-10-26' })).toEqual([])
    expect(await found({ carrier: 'ups' })).toEqual([])
    expect((await shop.get('/analytics/delivery-times/parcels', { ...period, week: '2026-10-13' })).status).toBe(422)
    const [parcel] = (await parcelsOf(shop, { outcome: 'held' })).parcels
    expect(parcel).toMatchObject({
      country: 'DE',
      service: 'DHL Paket',
      placed_at: '2026-10-08T12:00:00.000Z',
      since_placed: { business: 2, calendar: 4 },
      on_target: false,
      on_time: true,
      held: true,
      early: false,
      window_late: false,
    })
  })
})

describe('service of a parcel', () => {
  it("is the tracking's, or else the order's shipping method, also when that changes", async () => {
    const shop = await newShop()
    const number = uniqueNumber()
    const [own, other, back] = [uniqueNumber('SVC'), uniqueNumber('SVC'), uniqueNumber('SVC')]
    const put = (order: object, trackings: { tracking_number: string; service?: string }[] = []) =>
      shop.put('/orders', upsertOf(number, { ...order, expected_number_of_shipments: 3 }, trackings))
    const read = async () => {
      const { body } = await shop.get('/orders', { order_number: number })
      const [order] = body
      const services = order.trackings.map((tracking: { carrier: { tracking_number: string }; service: string }) => [
        tracking.carrier.tracking_number,
        tracking.service,
      ])
      return { method: order.shipping_method, services: Object.fromEntries(services) }
    }
    await put({ shipping_method: 'Standard' }, [
      { tracking_number: own, service: 'DHL Paket' },
      { tracking_number: other },
    ])
    await shop.post('/shipments', { order_id: number, order_id_type: 'order_number', tracking_number: back })
    expect(await read()).toEqual({
      method: 'Standard',
      services: { [own]: 'DHL Paket', [other]: 'Standard', null: 'Standard', [back]: null },
    })
    await put({ shipping_method: 'Express' })
    expect(await read()).toEqual({
      method: 'Express',
      services: { [own]: 'DHL Paket', [other]: 'Express', null: 'Express', [back]: null },
    })
    await put({}, [{ tracking_number: other, service: 'DHL Express' }])
    expect((await read()).services[other]).toBe('DHL Express')
    const found = await shop.get('/shipments', { tracking_number: other })
    expect(found.body.shipments[0].service).toBe('DHL Express')
    // A corrected number is still the same parcel.
    const { uuid, order_id } = found.body.shipments[0]
    const corrected = await shop.patch(`/orders/${order_id}/shipments/${uuid}`, { tracking_number: `${other}2` })
    expect(corrected.body.service).toBe('DHL Express')
  })
})
