import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { AutomationField } from '../../src/automations/fields.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { claimEventData, shipmentEventData } from '../../src/webhooks/payloads/event-data.ts'
import { ClaimEventData, ShipmentEventData } from '../../src/webhooks/payloads/event-data-schema.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const { database } = await theService()

afterEach(() => clock.reset())

/** A parcel to this country that is delivered now. */
async function deliver(shop: ShopCaller, country_code: string, fields: Record<string, unknown> = {}) {
  const id = uniqueNumber('DR-')
  const order = await createOrder(
    shop,
    {
      order_placed_at: clock.now().toISOString(),
      address: { name: 'Ada Example', zip_code: '1', country_code },
      ...fields,
    },
    [{ tracking_number: id, carrier_reference: 'dhl' }],
  )
  await shop.post('/shipment-events?notify=true', { id, event_name: 'SUCCESSFULLY_DELIVERED' })
  return order
}

const toGermany = { field: 'context.order.address.country_code', operator: 'in', value: ['DE'] }
const dear = { field: 'context.order.total_order_price', operator: 'gte', value: 100 }
const trigger = { events: ['shipments/delivered'] }
const segment = { type: 'add_segment', segment: 'happy' }

const dryRun = (shop: ShopCaller, automation: object, fields: object = {}) =>
  shop.post('/automations/dry-run', { automation: { trigger, ...automation }, ...fields })

const daysAgo = (count: number) => new Date(clock.now().getTime() - count * dayMs).toISOString()

/** How many rows each table of the shop has. */
async function countRows(): Promise<string> {
  const tables = ['automations', 'automation_runs', 'deliveries', 'notifications', 'orders', 'claims', 'audit_log']
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)})`)
  const { rows } =
    await sql`select ${sql.join(counts.map((count, at) => sql`${count} as ${sql.ref(`t${at}`)}`))}`.execute(database.db)
  return JSON.stringify(rows)
}

describe('dry run of a draft', () => {
  it('counts matches by day, names the newest, and says which condition keeps the others out', async () => {
    const shop = (await makeShop()).as('editor')
    clock.advance(-2 * dayMs)
    const first = await deliver(shop, 'DE', { total_order_price: 120 })
    clock.advance(2 * dayMs)
    await deliver(shop, 'FR', { total_order_price: 120 })
    await deliver(shop, 'FR', { total_order_price: 20 })
    const last = await deliver(shop, 'DE', { total_order_price: 100 })
    const { status, body } = await dryRun(shop, {
      conditions: [dear, toGermany],
      delay_minutes: 60,
      actions: [segment],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ evaluated: 4, matched: 2, is_complete: true, rebuilt: 4 })
    expect(body.days).toHaveLength(8)
    expect(body.days.at(-3)).toEqual({ date: daysAgo(2).slice(0, 10), evaluated: 1, matched: 1 })
    expect(body.days.at(-1)).toEqual({ date: daysAgo(0).slice(0, 10), evaluated: 3, matched: 1 })
    expect(body.unmet).toEqual([
      { condition: 1, events: 2, events_alone: 1 },
      { condition: 0, events: 1, events_alone: 0 },
    ])
    expect(body.matches).toMatchObject([
      {
        order_number: last.order_number,
        customer_name: 'Ada Example',
        shipment_id: last.trackings[0].uuid,
        ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
        prevented: null,
        actions: [{ action: segment, would_act: true, detail: 'would add the segment happy' }],
      },
      { order_number: first.order_number },
    ])
    const [match] = body.matches
    expect(Date.parse(match.due_at) - Date.parse(match.triggered_at)).toBe(60 * 60_000)
  })

  it('looks back as far as it is told, and returns as many matches as it is told', async () => {
    const shop = (await makeShop()).as('editor')
    clock.advance(-3 * dayMs)
    await deliver(shop, 'DE')
    clock.advance(3 * dayMs)
    await deliver(shop, 'DE')
    await deliver(shop, 'DE')
    expect((await dryRun(shop, {}, { since: daysAgo(1) })).body).toMatchObject({ matched: 2 })
    const { body } = await dryRun(shop, {}, { since: daysAgo(30), limit: 1 })
    expect(body).toMatchObject({ matched: 3, matches: [{}] })
    expect(body.matches).toHaveLength(1)
    expect(body.days).toHaveLength(31)
  })

  it('evaluates the original payload if it was stored, and else the order as it is now', async () => {
    const shop = (await makeShop()).as('admin')
    const early = await deliver(shop, 'DE')
    await shop.post('/webhooks', { url: 'https://hooks.example/all', enabled_events: ['*'] })
    const published = await deliver(shop, 'DE')
    for (const { uuid } of [early, published])
      await shop.patch(`/orders/${uuid}`, { address: { name: 'B', zip_code: '1', country_code: 'FR' } })
    const { body } = await dryRun(shop, { conditions: [toGermany] })
    expect(body).toMatchObject({ evaluated: 2, matched: 1, rebuilt: 1 })
    expect(body.matches).toMatchObject([{ order_number: published.order_number, notification_id: expect.any(String) }])
  })

  it('reads events of its trigger, also of claims', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: 'https://hooks.example/all', enabled_events: ['*'] })
    const order = await deliver(shop, 'DE')
    expect((await dryRun(shop, { trigger: { events: ['claims'] } })).body).toMatchObject({ evaluated: 0, unmet: [] })
    await shop.post('/claims', { shipment_id: order.trackings[0].uuid, reason: 'damage' })
    const damage = { field: 'event_data.reason', operator: 'eq', value: 'damage' }
    const { body } = await dryRun(shop, { trigger: { events: ['claims/created'] }, conditions: [damage] })
    expect(body).toMatchObject({ evaluated: 1, matched: 1, rebuilt: 0 })
  })

  it('writes nothing', async () => {
    const shop = (await makeShop()).as('editor')
    await deliver(shop, 'DE')
    const before = await countRows()
    const claim = { type: 'create_claim', reason: 'investigation' }
    const { body } = await dryRun(shop, { actions: [segment, claim, { type: 'notify', integration: 'klaviyo' }] })
    expect(body.matches[0].actions).toHaveLength(3)
    expect(await countRows()).toBe(before)
  })

  it('is not available to viewers, and reports where a draft is wrong', async () => {
    const shop = await makeShop()
    expect((await dryRun(shop.as('viewer'), {})).status).toBe(403)
    const { status, body } = await dryRun(shop.as('editor'), {
      trigger: { events: ['orders'] },
      conditions: [{ field: 'order', operator: 'in', value: 'x' }],
      actions: [{ type: 'notify' }],
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.automation.trigger.events.0',
      'body.automation.conditions.0.field',
      'body.automation.conditions.0.value',
      'body.automation.actions.0.integration',
    ])
  })

  it('shows that a stored automation would not have run because of itself', async () => {
    const shop = (await makeShop()).as('admin')
    await shop.post('/webhooks', { url: 'https://hooks.example/all', enabled_events: ['*'] })
    await deliver(shop, 'DE')
    const id = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
    await sql`update notifications set caused_by = ${[id]} where shop_id = (
      select shop_id from orders where order_number = ${(await dryRun(shop, {})).body.matches[0].order_number} limit 1
    )`.execute(database.db)
    expect((await dryRun(shop, {}, { automation_id: id })).body.matches[0].prevented).toBe(
      'an automation does not run itself',
    )
  })
})

describe('fields of conditions', () => {
  it('have a type, operators, and the values of choices', async () => {
    const shop = await makeShop()
    const { body } = await shop.as('viewer').get('/automations/fields')
    const find = (field: string, group: string) =>
      body.find((each: AutomationField) => each.field === field && each.group === group)
    expect(find('context.order.total_order_price', 'order')).toMatchObject({
      type: 'number',
      is_list: false,
      values: null,
    })
    expect(find('context.order.address.country_code', 'order').type).toBe('country')
    expect(find('context.order.segments', 'order')).toMatchObject({ type: 'text', is_list: true })
    expect(find('context.shipments.flag', 'shipments')).toMatchObject({
      type: 'choice',
      is_list: true,
      values: ['normal', 'delay', 'error'],
    })
    expect(find('context.claims', 'claims')).toMatchObject({ type: 'presence', operators: ['exists'] })
    expect(find('event_data.reason', 'claim_event').values).toContain('damage')
  })

  it('can each be used with each of their operators', async () => {
    const shop = (await makeShop()).as('editor')
    const { body } = await shop.get('/automations/fields')
    const valueFor = (operator: string) => {
      if (operator === 'exists') return true
      if (operator === 'in' || operator === 'not_in') return ['x']
      return ['gt', 'gte', 'lt', 'lte'].includes(operator) ? 1 : 'x'
    }
    const conditions = body.flatMap(({ field, operators }: AutomationField) =>
      operators.map((operator) => ({ field, operator, value: valueFor(operator) })),
    )
    for (let from = 0; from < conditions.length; from += 50) {
      expect((await dryRun(shop, { conditions: conditions.slice(from, from + 50) })).status).toBe(200)
    }
  })

  it('know every variable of the payload', async () => {
    const shop = (await makeShop()).as('editor')
    const order = await deliver(shop, 'DE')
    const shipment = order.trackings[0]
    const event = { eventName: 'SUCCESSFULLY_DELIVERED', eventGroup: 'shipment_delivered', triggerName: 'x' }
    const known = Object.keys(ShipmentEventData.properties)
    expect(known).toEqual(expect.arrayContaining(Object.keys(shipmentEventData(event, order, shipment, ''))))
    const { body: claim } = await shop.post('/claims', { shipment_id: shipment.uuid, reason: 'damage' })
    expect(Object.keys(ClaimEventData.properties).toSorted()).toEqual(
      Object.keys(claimEventData({ eventName: 'CLAIM_CREATED', eventGroup: 'x' }, claim)).toSorted(),
    )
  })
})
