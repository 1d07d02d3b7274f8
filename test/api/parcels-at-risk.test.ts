import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs, hourMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { shopIdOf } from '../harness/customers.ts'
import { runJob, settle } from '../harness/deliveries.ts'
import { makeMailShop } from '../harness/mail-shop.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { dayIn, promisedOrder, scan, writeJourneys } from '../harness/promised-orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// Time only moves on: the job runs once per period.
afterAll(() => clock.reset())

/** Until the next Monday at eight: what the shop has sent took two days from Mondays on, or more than a week. */
function untilMonday(): void {
  const now = clock.now()
  const days = (8 - now.getUTCDay()) % 7 || 7
  clock.advance(Math.floor(now.getTime() / dayMs) * dayMs + days * dayMs + 8 * hourMs - now.getTime())
}

async function pass(ms = 0): Promise<void> {
  clock.advance(Math.max(ms, 11 * secondMs))
  await runJob('exceptions')
}

async function open(): Promise<{ made: TestShop; shop: ShopCaller }> {
  const made = await makeShop()
  await writeJourneys(made)
  return { made, shop: made.as('admin') }
}

const kindsOf = async (shop: ShopCaller) =>
  (await shop.get('/exceptions')).body.map((each: { shipment_id: string; kind: string }) => [
    each.shipment_id,
    each.kind,
  ])
const promiseOf = async (shop: ShopCaller, order: { uuid: string }) =>
  (await shop.get(`/orders/${order.uuid}`)).body.promised_delivery
const isAtRisk = ({ body }: { body: { event_group: string } }) => body.event_group === 'shipment_at_risk'

describe('parcels at risk', () => {
  beforeEach(() => untilMonday())

  it('are listed before they are late, once the days pass that others take', async () => {
    const { shop } = await open()
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(3) } })
    const { uuid: shipmentId } = order.trackings[0]
    await scan(shop, shipmentId, 'PARCEL_DISPATCHED')
    await pass()
    const sent = await promiseOf(shop, order)
    expect(sent.state).toBe('open')
    expect(sent.chance).toBeGreaterThan(0.6)
    expect(await kindsOf(shop)).toEqual([])
    // Wednesday, on which the others arrived, is over, and no scan has come.
    await pass(3 * dayMs)
    const [listed] = (await shop.get('/exceptions')).body
    expect(listed).toMatchObject({ shipment_id: shipmentId, kind: 'at_risk', other_kinds: [] })
    expect(listed.facts).toMatchObject({ promised_by: order.promised_delivery.latest, chance: expect.any(Number) })
    expect(listed.facts.chance).toBeLessThan(0.5)
    expect(listed.reason).toMatch(
      /^This parcel will probably not arrive by .*, as promised: the chance is \d+ percent\.$/,
    )
    expect(await promiseOf(shop, order)).toMatchObject({ state: 'at_risk', chance: listed.facts.chance })
    await pass(16 * hourMs)
    expect(await kindsOf(shop)).toEqual([[shipmentId, 'late']])
    expect((await shop.get('/exceptions')).body[0].reason).toMatch(
      /^This parcel was promised by .* and has not arrived\.$/,
    )
    expect(await promiseOf(shop, order)).toMatchObject({ state: 'broken', chance: null })
    await scan(shop, shipmentId, 'SUCCESSFULLY_DELIVERED')
    await pass()
    expect(await kindsOf(shop)).toEqual([])
  })

  it('are announced once to webhooks, automations and the event feed, and again if another day is promised', async () => {
    const { shop } = await open()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const url = (name: string) => `${receiver.url}/${name}`
    const endpoint = await shop.post('/webhooks', { url: url('at-risk'), enabled_events: ['shipments/at_risk'] })
    expect(endpoint.status, endpoint.text).toBeLessThan(300)
    await shop.post('/webhooks', { url: url('transit'), enabled_events: ['shipments/in_transit'] })
    const automation = await shop.post('/automations', {
      name: 'Say sorry early',
      enabled: true,
      trigger: { events: ['shipments/at_risk'] },
      conditions: [{ field: 'context.order.promised_delivery.state', operator: 'eq', value: 'at_risk' }],
      actions: [{ type: 'add_segment', segment: 'at-risk' }],
    })
    expect(automation.status, automation.text).toBeLessThan(300)
    const { next } = (await shop.get('/events')).body
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    await scan(shop, order.trackings[0].uuid, 'PARCEL_DISPATCHED')
    await pass()
    await settle()
    const at = (path: string) => receiver.received.filter((each) => each.path === `/${path}`)
    expect(at('at-risk').map(({ body }) => body)).toMatchObject([
      {
        source: 'shipments',
        ref: 'shipments/at_risk/SHIPMENT_AT_RISK',
        event_group: 'shipment_at_risk',
        event_data: { shipment_id: order.trackings[0].uuid, event_name: 'SHIPMENT_AT_RISK', phase: 'in_transit' },
        context: { order: { promised_delivery: { state: 'at_risk', latest: dayIn(1) } } },
      },
    ])
    expect(at('transit').filter(isAtRisk)).toEqual([])
    expect((await shop.get('/events', { after: next, types: 'shipments/at_risk' })).body.events).toHaveLength(1)
    await settle()
    expect((await shop.get(`/orders/${order.uuid}`)).body.segments).toContain('at-risk')
    // Another scan changes nothing.
    await scan(shop, order.trackings[0].uuid, 'ARRIVED_AT_SORTING_CENTER')
    await pass(hourMs)
    expect(at('at-risk')).toHaveLength(1)
    // The shop promises a day that can be kept: then one that cannot.
    const promise = (days: number) =>
      shop.put('/orders', upsertOf(order.order_number, { promised_delivery: { latest: dayIn(days) } }))
    await promise(20)
    await pass()
    expect(await promiseOf(shop, order)).toMatchObject({ state: 'open' })
    expect(await kindsOf(shop)).toEqual([])
    await promise(0)
    await pass()
    expect(await promiseOf(shop, order)).toMatchObject({ state: 'at_risk' })
    expect(at('at-risk')).toHaveLength(2)
  })

  it('are never those that customers send back, with a promise or without', async () => {
    const { shop } = await open()
    const promised = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    const other = await promisedOrder(shop, {})
    await scan(shop, promised.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED')
    await scan(shop, other.trackings[0].uuid, 'SUCCESSFULLY_DELIVERED')
    const sendBack = async (order_id: string, direction: string) => {
      const parcel = {
        order_id,
        order_id_type: 'uuid',
        tracking_number: uniqueNumber('BACK'),
        carrier_reference: 'dhl',
      }
      const { body } = await shop.post('/shipments', { ...parcel, direction })
      await scan(shop, body.uuid, 'PARCEL_DISPATCHED')
      const window = { start: dayIn(0), end: dayIn(1), source: 'carrier' }
      const { database } = await theService()
      await sql`update shipments set expected_delivery = ${JSON.stringify(window)}::jsonb, updated_at = ${clock.now()}
        where id = ${body.uuid}`.execute(database.db)
      return body.uuid
    }
    await sendBack(promised.uuid, 'customer_merchant')
    await sendBack(other.uuid, 'customer_partner')
    // A parcel from a partner to the customer is.
    const late = await sendBack(other.uuid, 'partner_customer')
    await pass()
    expect(await kindsOf(shop)).toEqual([[late, 'at_risk']])
  })

  it('are those below the threshold of the shop', async () => {
    const { shop } = await open()
    const changed = await shop.patch('/delivery-promises/settings', { at_risk_below: 0 })
    expect(changed.status, changed.text).toBe(200)
    const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
    await scan(shop, order.trackings[0].uuid, 'PARCEL_DISPATCHED')
    await pass()
    expect(await kindsOf(shop)).toEqual([])
    const { state, chance } = await promiseOf(shop, order)
    expect([state, chance < 0.5]).toEqual(['open', true])
    // Nothing happens to the parcel, and no day passes: the next run of the job knows the new threshold.
    await shop.patch('/delivery-promises/settings', { at_risk_below: 0.5 })
    await pass()
    expect(await kindsOf(shop)).toEqual([[order.trackings[0].uuid, 'at_risk']])
    expect((await promiseOf(shop, order)).state).toBe('at_risk')
    await shop.patch('/delivery-promises/settings', { at_risk_below: 0 })
    await pass()
    expect(await kindsOf(shop)).toEqual([])
    expect((await promiseOf(shop, order)).state).toBe('open')
  })

  it('are held against their own window if their order has no promise', async () => {
    const { made, shop } = await open()
    const order = await promisedOrder(shop, {})
    const shipmentId = order.trackings[0].uuid
    const service = await theService()
    // As a carrier says it: tomorrow, although its parcels take two days.
    const window = { start: `${dayIn(1)}T08:00:00.000Z`, end: `${dayIn(1)}T18:00:00.000Z`, source: 'carrier' }
    await sql`
      update shipments set expected_delivery = ${JSON.stringify(window)}::jsonb
      where shop_id = ${await shopIdOf(service, made)} and id = ${shipmentId}`.execute(service.database.db)
    await scan(shop, shipmentId, 'PARCEL_DISPATCHED')
    await pass()
    const [listed] = (await shop.get('/exceptions', { kind: 'at_risk' })).body
    expect(listed).toMatchObject({ shipment_id: shipmentId, kind: 'at_risk', facts: { promised_by: null } })
    expect(listed.reason).toMatch(/^This parcel will probably not arrive by [^,]*: the chance is \d+ percent\.$/)
    await scan(shop, shipmentId, 'OUT_FOR_DELIVERY')
    await pass()
    expect(await kindsOf(shop)).toEqual([])
  })

  it('are told to customers only by an automation of the shop', async () => {
    const { made, server } = await makeMailShop()
    onTestFinished(() => server.close())
    await writeJourneys(made)
    const shop = made.as('admin')
    const sendLate = async () => {
      const order = await promisedOrder(shop, { promised_delivery: { latest: dayIn(1) } })
      await scan(shop, order.trackings[0].uuid, 'PARCEL_DISPATCHED')
      await pass()
      expect(await promiseOf(shop, order)).toMatchObject({ state: 'at_risk' })
      return order
    }
    await sendLate()
    const told = () => server.mails.filter(({ subject }) => subject?.includes('may arrive later'))
    expect(told()).toEqual([])
    const automation = await shop.post('/automations', {
      name: 'Tell customers',
      enabled: true,
      trigger: { events: ['shipments/at_risk'] },
      actions: [{ type: 'notify', integration: 'smtp' }],
    })
    expect(automation.status, automation.text).toBeLessThan(300)
    const order = await sendLate()
    await pass(hourMs)
    expect(told().map(({ subject }) => subject)).toEqual([`Your order ${order.order_name} may arrive later`])
  })
})
