import { afterAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { placesOf } from '../harness/catalogue.ts'
import { runJob } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, engine, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// Time only moves on: the job runs once per period, and going back to a time of another test would be no new period.
afterAll(() => clock.reset())

interface Sent {
  id: string
  orderId: string
  orderNumber: string
  number: string
}

/** A parcel that was sent now; by default to Germany, by DHL. */
async function send(
  shop: ShopCaller,
  options: { country?: string; carrier?: string; scan?: string } = {},
): Promise<Sent> {
  const number = uniqueNumber('EX')
  const { country = 'DE', carrier = 'dhl', scan = 'PARCEL_DISPATCHED' } = options
  const order = await createOrder(
    shop,
    { order_placed_at: clock.now().toISOString(), address: { name: 'Ada Example', country_code: country } },
    [{ tracking_number: number, carrier_reference: carrier }],
  )
  const id = order.trackings[0].uuid as string
  if (scan !== '') await report(shop, id, scan)
  return { id, orderId: order.uuid as string, orderNumber: order.order_number as string, number }
}

async function report(shop: ShopCaller, id: string, event_name: string, fields: Record<string, unknown> = {}) {
  const { status, text } = await shop.post(`/shipments/${id}/events`, {
    event_name,
    event_time: clock.now().toISOString(),
    ...fields,
  })
  if (status !== 200) throw new Error(text)
}

/** Time passes, and the job runs. */
async function pass(ms: number): Promise<void> {
  clock.advance(Math.max(ms, 11 * secondMs))
  await runJob('exceptions')
}

const list = async (shop: ShopCaller, query: Record<string, string | number> = {}) =>
  (await shop.get('/exceptions', query)).body

const kindsOf = async (shop: ShopCaller, query: Record<string, string | number> = {}) =>
  (await list(shop, query)).map((each: { shipment_id: string; kind: string }) => [each.shipment_id, each.kind])

async function open(): Promise<{ made: TestShop; shop: ShopCaller }> {
  const made = await makeShop()
  return { made, shop: made.as('editor') }
}

describe('exceptions', () => {
  it('list a parcel that is stuck, with the facts and a sentence, until it moves on', async () => {
    const { shop } = await open()
    const parcel = await send(shop, { country: 'AT' })
    await pass(0)
    expect(await list(shop)).toEqual([])
    await pass(3 * dayMs + 23 * hourMs)
    expect(await list(shop)).toEqual([])
    await pass(2 * hourMs)
    const [listed] = await list(shop)
    expect(listed).toMatchObject({
      shipment_id: parcel.id,
      order_id: parcel.orderId,
      order_number: parcel.orderNumber,
      tracking_number: parcel.number,
      customer_name: 'Ada Example',
      carrier_reference: 'dhl',
      destination_country: 'AT',
      kind: 'stuck',
      other_kinds: [],
      state: 'open',
      assigned_to: null,
      facts: {
        days: 4,
        stuck_after_days: 4,
        usual_scan_hours: null,
        last_event: { event_name: 'PARCEL_DISPATCHED' },
      },
    })
    expect(listed.reason).toMatch(/^DHL.* has not reported on this parcel for 4 days\.$/)
    await report(shop, parcel.id, 'ARRIVED_AT_SORTING_CENTER')
    await pass(0)
    expect(await list(shop, { state: 'all' })).toEqual([])
  })

  it('list what its carrier reports: failed, lost, returning, and leave when it is delivered', async () => {
    const { shop } = await open()
    const failed = await send(shop)
    const lost = await send(shop)
    const returning = await send(shop)
    await report(shop, failed.id, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')
    await report(shop, lost.id, 'SHIPMENT_LOST_IN_TRANSIT')
    await report(shop, returning.id, 'SHIPMENT_RETURNING_TO_SENDER')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([
      [lost.id, 'lost'],
      [failed.id, 'failed'],
      [returning.id, 'returning'],
    ])
    expect(await kindsOf(shop, { kind: 'failed' })).toEqual([[failed.id, 'failed']])
    clock.advance(hourMs)
    await report(shop, failed.id, 'SUCCESSFULLY_DELIVERED')
    await report(shop, returning.id, 'SHIPMENT_RETURNED_TO_SENDER')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[lost.id, 'lost']])
  })

  it('list what customs waits for, before everything else, and leave when customs has finished', async () => {
    const { shop } = await open()
    const [lost, payment, held] = [await send(shop), await send(shop), await send(shop)]
    await report(shop, lost.id, 'SHIPMENT_LOST_IN_TRANSIT')
    await report(shop, payment.id, 'HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT')
    // Customs wants nothing from anybody.
    await report(shop, held.id, 'HELD_AT_CUSTOMS')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([
      [payment.id, 'customs'],
      [lost.id, 'lost'],
    ])
    const [listed] = await list(shop)
    expect(listed.reason).toMatch(
      /reported today: Customs is waiting for a payment for your parcel\. Help the customer to answer, otherwise the parcel is sent back\.$/,
    )
    expect(await kindsOf(shop, { kind: 'customs' })).toEqual([[payment.id, 'customs']])
    clock.advance(hourMs)
    await report(shop, payment.id, 'COMPLETION_OF_CUSTOMS_PROCESSING')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[lost.id, 'lost']])
  })

  it('list a parcel that waits at a pick-up point, before its deadline or after some days', async () => {
    const { shop } = await open()
    const waiting = await send(shop)
    await report(shop, waiting.id, 'ARRIVED_AT_PARCEL_SHOP')
    await pass(2 * dayMs)
    expect(await list(shop)).toEqual([])
    await pass(dayMs)
    const [listed] = await list(shop)
    expect(listed).toMatchObject({ kind: 'waiting', facts: { days: 3 } })
    expect(listed.reason).toBe('This parcel has been waiting at a pick-up point for 3 days.')
  })

  it('name every kind that applies, and list the most serious', async () => {
    const { shop } = await open()
    const parcel = await send(shop, { scan: 'OUT_FOR_DELIVERY' })
    const { db } = (await theService()).database
    await db
      .updateTable('shipments')
      .set({ expected_delivery: JSON.stringify({ start: ago(0), end: ago(-dayMs), source: 'carrier' }) })
      .where('id', '=', parcel.id)
      .execute()
    await report(shop, parcel.id, 'DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN')
    await pass(3 * dayMs)
    const [listed] = await list(shop)
    expect(listed).toMatchObject({ kind: 'failed', other_kinds: ['stuck', 'late'] })
    expect(listed.facts.expected_source).toBe('carrier')
  })

  it('do not count a label as stuck unless its carrier is known to report, and never a return label', async () => {
    const { shop } = await open()
    await send(shop, { scan: '', carrier: 'gls' })
    await pass(10 * dayMs)
    expect(await list(shop)).toEqual([])
    const known = await send(shop, { carrier: 'gls' })
    await report(shop, known.id, 'ARRIVED_AT_SORTING_CENTER', { event_time: ago(-hourMs) })
    await report(shop, known.id, 'SUCCESSFULLY_DELIVERED', { event_time: ago(-2 * hourMs) })
    await pass(2 * dayMs)
    const [listed] = await list(shop)
    expect(listed).toMatchObject({ kind: 'stuck', phase: 'order_processed' })
    expect(listed.reason).toMatch(/^The label was made 12 days ago, and GLS.* has not scanned the parcel yet\.$/)
  })

  it('learn the pauses of a route from the parcels of the shop', async () => {
    const { shop } = await open()
    for (let parcel = 0; parcel < 20; parcel += 1) {
      const { id } = await send(shop, { country: 'CH', scan: '' })
      await report(shop, id, 'PARCEL_DISPATCHED', { event_time: ago(20 * dayMs) })
      await report(shop, id, 'ARRIVED_AT_SORTING_CENTER', { event_time: ago(14.6 * dayMs) })
      await report(shop, id, 'SUCCESSFULLY_DELIVERED', { event_time: ago(14 * dayMs) })
    }
    const learnt = await send(shop, { country: 'CH' })
    const other = await send(shop, { country: 'FR' })
    await pass(5 * dayMs)
    expect(await kindsOf(shop)).toEqual([[other.id, 'stuck']])
    await pass(dayMs + hourMs)
    const both = await list(shop)
    expect(both).toHaveLength(2)
    const [listed] = both.filter((each: { shipment_id: string }) => each.shipment_id === learnt.id)
    expect(listed.facts).toMatchObject({ days: 6, stuck_after_days: 6, usual_scan_hours: 132 })
    expect(listed.reason).toContain('parcels to Switzerland usually get a scan at least every 6 days.')
  })

  it('learn nothing of what customers send back', async () => {
    const { shop } = await open()
    const order = await send(shop, { country: 'NO', scan: '' })
    for (let parcel = 0; parcel < 20; parcel += 1) {
      const { body } = await shop.post('/shipments', {
        order_id: order.orderId,
        order_id_type: 'uuid',
        tracking_number: uniqueNumber('BACK'),
        carrier_reference: 'dhl',
      })
      await report(shop, body.uuid, 'PARCEL_DISPATCHED', { event_time: ago(20 * dayMs) })
      await report(shop, body.uuid, 'SUCCESSFULLY_DELIVERED', { event_time: ago(10 * dayMs) })
    }
    const parcel = await send(shop, { country: 'NO' })
    await pass(4 * dayMs)
    expect(await kindsOf(shop)).toEqual([[parcel.id, 'stuck']])
  })

  it('follow the limits of the shop', async () => {
    const { made, shop } = await open()
    const admin = made.as('admin')
    const parcel = await send(shop)
    await pass(2 * dayMs)
    expect(await list(shop)).toEqual([])
    expect((await admin.patch('/settings/exceptions', { stuck_days_in_transit: 2 })).body).toEqual({
      stuck_days_order_processed: 4,
      stuck_days_in_transit: 2,
      stuck_days_in_delivery: 2,
      stuck_days_return_transit: 7,
      pickup_days: 3,
    })
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[parcel.id, 'stuck']])
    await admin.patch('/settings/exceptions', { stuck_days_in_transit: null })
    await pass(0)
    expect(await list(shop)).toEqual([])
    const { body } = await admin.patch('/settings/exceptions', { pickup_days: 0, stuck_days_in_transit: 'x' })
    expect(placesOf(body)).toEqual(['body.pickup_days value_error', 'body.stuck_days_in_transit type_error'])
    expect((await shop.patch('/settings/exceptions', {})).status).toBe(403)
    expect((await made.as('viewer').get('/settings/exceptions')).body.pickup_days).toBe(3)
  })

  it('leave with the shipment, with its tracking number, and after 60 days without an event', async () => {
    const { shop } = await open()
    const [deleted, old] = [await send(shop), await send(shop)]
    await pass(5 * dayMs)
    expect(await list(shop)).toHaveLength(2)
    await shop.delete(`/orders/${deleted.orderNumber}/shipments/${deleted.number}`)
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[old.id, 'stuck']])
    await pass(54 * dayMs)
    expect(await list(shop)).toHaveLength(1)
    await pass(dayMs)
    expect(await list(shop)).toEqual([])
  })

  it('include a change that is committed after the evaluation that it belongs to', async () => {
    const { shop } = await open()
    const parcel = await send(shop)
    await pass(5 * dayMs)
    expect(await list(shop)).toHaveLength(1)
    await pass(hourMs)
    const { db } = (await theService()).database
    // As a transaction that began half a minute ago.
    await db
      .updateTable('shipments')
      .set({ phase: 'delivered', updated_at: new Date(clock.now().getTime() - 30 * secondMs) })
      .where('id', '=', parcel.id)
      .execute()
    await pass(0)
    expect(await list(shop)).toEqual([])
  })

  it.runIf(engine === 'postgres')('are evaluated by one node at a time', async () => {
    const { made, shop } = await open()
    await send(shop)
    await pass(5 * dayMs)
    const { db } = (await theService()).database
    await send(shop)
    clock.advance(5 * dayMs)
    await db.transaction().execute(async (other) => {
      const { id } = await db.selectFrom('shops').where('slug', '=', made.slug).select('id').executeTakeFirstOrThrow()
      await other.selectFrom('exception_progress').where('shop_id', '=', id).selectAll().forUpdate().execute()
      await runJob('exceptions')
      expect(await list(shop)).toHaveLength(1)
    })
    await pass(0)
    expect(await list(shop)).toHaveLength(2)
  })

  it('of a deleted shop are not evaluated', async () => {
    const { made, shop } = await open()
    const parcel = await send(shop)
    await pass(0)
    await call('DELETE', `/v1/shops/${made.slug}`)
    await pass(6 * dayMs)
    const { db } = (await theService()).database
    const rows = await db.selectFrom('exceptions').where('shipment_id', '=', parcel.id).selectAll().execute()
    expect(rows).toEqual([])
  })

  it('are sorted and filtered, and paged', async () => {
    const { shop } = await open()
    const first = await send(shop, { country: 'AT' })
    await pass(hourMs)
    const second = await send(shop, { country: 'DE', carrier: 'gls' })
    await pass(5 * dayMs)
    const third = await send(shop, { country: 'AT' })
    await report(shop, third.id, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')
    await pass(0)
    const ids = async (query: Record<string, string | number>) =>
      (await list(shop, query)).map((each: { shipment_id: string }) => each.shipment_id)
    expect(await ids({})).toEqual([third.id, first.id, second.id])
    expect(await ids({ sort: 'since' })).toEqual([first.id, second.id, third.id])
    expect(await ids({ sort: '-since' })).toEqual([third.id, second.id, first.id])
    expect(await ids({ state: 'all', sort: 'since' })).toEqual([first.id, second.id, third.id])
    expect(await ids({ country: 'AT' })).toEqual([third.id, first.id])
    expect(await ids({ carrier: 'gls' })).toEqual([second.id])
    expect(await ids({ assigned_to: 'Ada' })).toEqual([])
    await shop.patch(`/exceptions/${first.id}`, { assigned_to: 'Ada' })
    expect(await ids({ assigned_to: 'Ada' })).toEqual([first.id])
    const page = await shop.get('/exceptions', { per_page: 2, page: 2 })
    expect(page.body.map((each: { shipment_id: string }) => each.shipment_id)).toEqual([second.id])
    expect(page.headers['x-total-count']).toBe('3')
    const wrong = await shop.get('/exceptions', { kind: 'x', state: 'x', sort: 'x', page: 0 })
    expect(placesOf(wrong.body)).toEqual([
      'query.kind value_error',
      'query.page value_error',
      'query.sort value_error',
      'query.state value_error',
    ])
  })
})

describe('decision about an exception', () => {
  async function stuck(): Promise<{ made: TestShop; shop: ShopCaller; parcel: Sent }> {
    const { made, shop } = await open()
    const parcel = await send(shop)
    await pass(4 * dayMs + hourMs)
    return { made, shop, parcel }
  }

  it('assigns, and adds a note of the caller', async () => {
    const { made, shop, parcel } = await stuck()
    const { body } = await shop.patch(`/exceptions/${parcel.id}`, { assigned_to: 'Ada', note: 'Asked DHL.' })
    expect(body).toMatchObject({ shipment_id: parcel.id, assigned_to: 'Ada', state: 'open' })
    const notes = (await shop.get('/notes', { shipment_id: parcel.id })).body
    expect(notes).toMatchObject([{ text: 'Asked DHL.', order_id: parcel.orderId, shipment_id: parcel.id }])
    expect(notes[0].author).toBe((await made.credentials('editor')).username)
    expect((await shop.patch(`/exceptions/${parcel.id}`, { assigned_to: null })).body.assigned_to).toBeNull()
  })

  it('resolves it until a new reason appears', async () => {
    const { shop, parcel } = await stuck()
    const resolved = await shop.patch(`/exceptions/${parcel.id}`, { resolved: true, assigned_to: 'Ada' })
    expect(resolved.body).toMatchObject({ state: 'resolved', assigned_to: 'Ada', snoozed_until: null })
    expect(resolved.body.resolved_at).not.toBeNull()
    await pass(5 * dayMs)
    expect(await list(shop)).toEqual([])
    expect(await kindsOf(shop, { state: 'resolved' })).toEqual([[parcel.id, 'stuck']])
    await report(shop, parcel.id, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')
    await pass(0)
    expect((await list(shop))[0]).toMatchObject({
      kind: 'failed',
      state: 'open',
      assigned_to: 'Ada',
      resolved_at: null,
    })
    await shop.patch(`/exceptions/${parcel.id}`, { resolved: true })
    await pass(dayMs)
    expect(await list(shop)).toEqual([])
    // The same again, by a later event.
    await report(shop, parcel.id, 'DELIVERY_ATTEMPTED_ADDRESSEE_MOVED')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[parcel.id, 'failed']])
  })

  it('is undone by the previous values', async () => {
    const { shop, parcel } = await stuck()
    await shop.patch(`/exceptions/${parcel.id}`, { resolved: true })
    expect((await shop.patch(`/exceptions/${parcel.id}`, { resolved: false })).body).toMatchObject({
      state: 'open',
      resolved_at: null,
      resolved_by: null,
    })
    const until = ago(-dayMs)
    await shop.patch(`/exceptions/${parcel.id}`, { snoozed_until: until })
    expect((await shop.patch(`/exceptions/${parcel.id}`, { resolved: true })).body.state).toBe('resolved')
    expect((await shop.patch(`/exceptions/${parcel.id}`, { snoozed_until: until })).body).toMatchObject({
      state: 'snoozed',
      snoozed_until: until,
      resolved_at: null,
    })
    expect((await shop.patch(`/exceptions/${parcel.id}`, { snoozed_until: null })).body.state).toBe('open')
  })

  it('snoozes it until then, or until it gets worse', async () => {
    const { shop, parcel } = await stuck()
    const other = await send(shop)
    await pass(4 * dayMs + hourMs)
    for (const { id } of [parcel, other]) await shop.patch(`/exceptions/${id}`, { snoozed_until: ago(-2 * dayMs) })
    await pass(dayMs)
    expect(await list(shop)).toEqual([])
    expect(await list(shop, { state: 'snoozed' })).toHaveLength(2)
    await report(shop, other.id, 'SHIPMENT_LOST')
    await pass(0)
    expect(await kindsOf(shop)).toEqual([[other.id, 'lost']])
    await pass(dayMs)
    expect(await kindsOf(shop, { kind: 'stuck' })).toEqual([[parcel.id, 'stuck']])
    expect((await list(shop, { kind: 'stuck' }))[0].snoozed_until).toBeNull()
  })

  it('rejects what cannot be', async () => {
    const { shop, parcel } = await stuck()
    const errors = async (body: unknown) => placesOf((await shop.patch(`/exceptions/${parcel.id}`, body)).body)
    expect(await errors({ snoozed_until: ago(hourMs) })).toEqual(['body.snoozed_until value_error'])
    expect(await errors({ snoozed_until: ago(-400 * dayMs) })).toEqual(['body.snoozed_until value_error'])
    expect(await errors({ snoozed_until: ago(-dayMs), resolved: true })).toEqual(['body.snoozed_until value_error'])
    expect(await errors({ assigned_to: '', resolved: 'x', note: 'x'.repeat(5_001) })).toEqual([
      'body.assigned_to value_error',
      'body.note value_error',
      'body.resolved type_error',
    ])
  })

  it('is about parcels on the list of this shop, by editors', async () => {
    const { made, shop, parcel } = await stuck()
    const missing = { status: 404, body: { key: 'exception_not_found' } }
    const moving = await send(shop)
    expect(await shop.patch(`/exceptions/${moving.id}`, { resolved: true })).toMatchObject(missing)
    const other = (await makeShop()).as('editor')
    expect(await other.patch(`/exceptions/${parcel.id}`, { resolved: true })).toMatchObject(missing)
    expect((await made.as('viewer').patch(`/exceptions/${parcel.id}`, { resolved: true })).status).toBe(403)
    expect((await made.as('viewer').get('/exceptions')).body).toHaveLength(1)
    expect((await other.get('/exceptions')).body).toEqual([])
  })

  it('can be made about many at once', async () => {
    const { shop, parcel } = await stuck()
    const second = await send(shop)
    const moving = await send(shop)
    await report(shop, second.id, 'SHIPMENT_LOST')
    await pass(0)
    const { body } = await shop.patch('/exceptions', {
      shipment_ids: [second.id.toUpperCase(), parcel.id, moving.id, parcel.id],
      assigned_to: 'Ada',
      note: 'Both',
    })
    expect(body.changed.map((each: { shipment_id: string }) => each.shipment_id)).toEqual([second.id, parcel.id])
    expect(body.changed.every((each: { assigned_to: string }) => each.assigned_to === 'Ada')).toBe(true)
    expect(body.not_listed).toEqual([moving.id])
    expect((await shop.get('/notes', { order_id: second.orderId })).body).toHaveLength(1)
    const wrong = await shop.patch('/exceptions', { shipment_ids: [], resolved: true })
    expect(placesOf(wrong.body)).toEqual(['body.shipment_ids value_error'])
    const many = Array.from({ length: 101 }, () => parcel.id)
    expect((await shop.patch('/exceptions', { shipment_ids: many })).status).toBe(422)
  })
})

function ago(ms: number): string {
  return new Date(clock.now().getTime() - ms).toISOString()
}
