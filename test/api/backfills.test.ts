import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { shopSystemNames } from '../../src/adapters/shop-systems/registry.ts'
import { evaluateInternalTriggers } from '../../src/orders/internal-triggers/evaluate.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { type ConnectedShop, connectWithOrders, settleBackfills } from '../harness/backfills.ts'
import { shopIdOf } from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { upsertOf } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { journeyOf, trackingNumberOf } from '../harness/shop-system-servers/orders.ts'
import { senderOf } from '../harness/shop-systems.ts'

const database = await openTestDatabase()
const settings = { WEBHOOK_ALLOW_PRIVATE: 'on' }
const service = await startTestService(settings, database)
// Jobs run only when a test starts them.
await service.schedule.stop()

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  clock.reset()
  for (const fake of opened.splice(0)) await fake.close()
})
afterAll(() => service.stop())

async function connect(
  system: (typeof shopSystemNames)[number],
  count: number,
  days = 30,
  fields: Record<string, unknown> = {},
): Promise<ConnectedShop> {
  const connected = await connectWithOrders(service, system, { count, days }, fields)
  opened.push(connected)
  return connected
}

async function begin({ shop }: ConnectedShop, system: string, days = 60) {
  const { status, body, text } = await shop.as('admin').post('/backfills', { system, days })
  if (status !== 200) throw new Error(text)
  return body
}

const read = async ({ shop }: ConnectedShop, id: string) => (await shop.as('viewer').get(`/backfills/${id}`)).body
const keyOf = ({ status, body }: { status: number; body: { key?: string } }) => `${status} ${body?.key}`

/** An endpoint and an automation that listen to everything. */
async function listen({ shop }: ConnectedShop): Promise<Receiver> {
  const receiver = await startReceiver()
  opened.push(receiver)
  await shop.as('admin').post('/webhooks', { url: receiver.url })
  await shop.as('admin').post('/automations', {
    name: 'Everything',
    trigger: { events: ['shipments'] },
    actions: [{ type: 'add_segment', segment: 'noticed' }],
  })
  return receiver
}

async function countOf({ shop }: ConnectedShop, table: string, at: Service = service): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where shop_id = ${await shopIdOf(at, shop)}`.execute(
    database.db,
  )
  return rows[0]?.count ?? 0
}

/** More than a page of any system, which has 50 or 100 orders; the first test reads a third page of each. */
const morePages = 110
const threePages = 210

describe.each(shopSystemNames)('orders of %s', (system) => {
  it('are brought in with their history, and nothing is announced', async () => {
    const connected = await connect(system, threePages)
    const receiver = await listen(connected)
    const { id } = await begin(connected, system)
    await settleBackfills(service)
    const backfill = await read(connected, id)
    expect(backfill).toMatchObject({ status: 'completed', error: null, problems: [], total: threePages })
    expect(backfill).toMatchObject({
      read: threePages,
      created: threePages,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
    })
    expect(await countOf(connected, 'orders')).toBe(threePages)
    await settle(service)
    expect(receiver.received).toEqual([])
    for (const table of ['deliveries', 'automation_runs', 'notifications']) {
      expect(await countOf(connected, table), table).toBe(0)
    }

    const days = new Map<string, number>()
    for (const order of connected.orders) {
      const placed = order.created_at ?? order.orderDateTime ?? `${order.date_created_gmt}Z`
      const day = new Date(placed).toISOString().slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
    const from = after(clock.now(), -40 * dayMs)
      .toISOString()
      .slice(0, 10)
    const to = clock.now().toISOString().slice(0, 10)
    const summary = (await connected.shop.as('viewer').get('/analytics/summary', { from, to })).body
    const counted = summary.days.filter(({ orders }: { orders: number }) => orders > 0)
    expect(counted.map(({ date, orders }: { date: string; orders: number }) => [date, orders])).toEqual(
      [...days].sort(),
    )

    const index = connected.orders.findIndex((_, position) => journeyOf(position) === 'delivered')
    const { body } = await connected.shop.as('viewer').get('/shipments', { tracking_number: trackingNumberOf(index) })
    expect(JSON.stringify(body)).toContain(trackingNumberOf(index))
  })

  it('are brought in once each if another node takes over in the middle', async () => {
    const connected = await connect(system, morePages)
    const other = await startTestService(settings, { ...database, close: async () => {} })
    await other.schedule.stop()
    opened.push({ close: () => other.stop() })
    const { id } = await begin(connected, system)
    const isThird = { seen: false }
    connected.beforePage((page) => {
      if (page === 2 && !isThird.seen) {
        isThird.seen = true
        // The worker hangs longer than its lease.
        clock.advance(3 * minuteMs)
        other.workers?.backfills.wake()
      }
      return undefined
    })
    await Promise.all([settleBackfills(service), settleBackfills(other)])
    await settleBackfills(other)
    await settleBackfills(service)
    const backfill = await read(connected, id)
    expect(backfill).toMatchObject({
      status: 'completed',
      read: morePages,
      created: morePages,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })
    expect(await countOf(connected, 'orders')).toBe(morePages)
    expect(await countOf(connected, 'shop_system_orders')).toBe(morePages)
  })

  it('are unchanged if they are brought in again', async () => {
    const connected = await connect(system, 20)
    await begin(connected, system)
    await settleBackfills(service)
    const events = await countOf(connected, 'shipment_events')
    clock.advance(hourMs)
    const { id } = await begin(connected, system)
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'completed', read: 20, created: 0, unchanged: 20 })
    expect(await countOf(connected, 'shipment_events')).toBe(events)
  })

  it('of other periods are left out', async () => {
    const connected = await connect(system, 22)
    const { id, since } = await begin(connected, system, 10)
    expect(Date.parse(since)).toBeCloseTo(clock.now().getTime() - 10 * dayMs, -4)
    await settleBackfills(service)
    const { read: count, total } = await read(connected, id)
    expect(count).toBe(total)
    expect(count).toBeGreaterThan(5)
    expect(count).toBeLessThan(9)
  })
})

describe('a backfill', () => {
  it('waits for a rate limit as long as the system says, and continues', async () => {
    const connected = await connect('woocommerce', morePages)
    connected.beforePage((page) =>
      page === 2 ? { status: 429, body: '{}', headers: { 'retry-after': '90' } } : undefined,
    )
    const { id } = await begin(connected, 'woocommerce')
    await settleBackfills(service)
    const waiting = await read(connected, id)
    expect(waiting).toMatchObject({ status: 'waiting', waiting_reason: 'rate_limited', read: 100, finished_at: null })
    expect(Date.parse(waiting.waiting_until) - clock.now().getTime()).toBeGreaterThan(60 * secondMs)
    clock.advance(2 * minuteMs)
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'completed', created: morePages, waiting_until: null })
  })

  it('respects how full the bucket of Shopify is', async () => {
    const connected = await connect('shopify', morePages)
    connected.beforePage((page) =>
      page === 1
        ? {
            status: 200,
            body: JSON.stringify({ orders: connected.orders.slice(0, 100) }),
            headers: { 'x-shopify-shop-api-call-limit': '39/40' },
          }
        : undefined,
    )
    const { id } = await begin(connected, 'shopify')
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'waiting', waiting_reason: 'rate_limited', read: 100 })
    clock.advance(10 * secondMs)
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'completed', read: morePages })
  })

  it('backs off while the system fails', async () => {
    const connected = await connect('shopware', 10)
    let isDown = true
    connected.beforePage(() => (isDown ? { status: 503, body: 'down for maintenance' } : undefined))
    const { id } = await begin(connected, 'shopware')
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await settleBackfills(service)
      expect(await read(connected, id)).toMatchObject({ status: 'waiting', waiting_reason: 'unreachable' })
      clock.advance(5 * minuteMs)
    }
    isDown = false
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'completed', created: 10 })
  })

  it('fails with words if the credentials are rejected, and resumes with new ones where it ended', async () => {
    const connected = await connect('shopify', morePages)
    let isRevoked = true
    connected.beforePage((page) =>
      page > 1 && isRevoked ? { status: 401, body: '{"errors":"[API] Invalid API key or access token"}' } : undefined,
    )
    const { id } = await begin(connected, 'shopify')
    await settleBackfills(service)
    const failed = await read(connected, id)
    expect(failed).toMatchObject({ status: 'failed', read: 100, finished_at: expect.any(String) })
    expect(failed.error).toEqual({
      key: 'partner_key_missing_permissions',
      message: 'Shopify rejects the credentials. Set new ones, then resume.',
    })
    isRevoked = false
    const resumed = await connected.shop.as('admin').post(`/backfills/${id}/resume`)
    expect(resumed.body).toMatchObject({ status: 'queued', error: null, finished_at: null, read: 100 })
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({
      status: 'completed',
      read: morePages,
      created: morePages,
      unchanged: 0,
    })
  })

  it('can be cancelled in the middle and resumed', async () => {
    const connected = await connect('woocommerce', morePages)
    connected.beforePage((page) => (page === 2 ? { status: 503, body: '' } : undefined))
    const { id } = await begin(connected, 'woocommerce')
    await settleBackfills(service)
    const admin = connected.shop.as('admin')
    expect((await admin.post(`/backfills/${id}/cancel`)).body).toMatchObject({ status: 'cancelled', read: 100 })
    clock.advance(hourMs)
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'cancelled', read: 100 })
    expect((await admin.post(`/backfills/${id}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    await admin.post(`/backfills/${id}/resume`)
    await settleBackfills(service)
    expect(await read(connected, id)).toMatchObject({ status: 'completed', read: morePages, created: morePages })
    expect((await admin.post(`/backfills/${id}/resume`)).body).toMatchObject({ status: 'completed' })
  })

  it('is the only one of its shop and system', async () => {
    const connected = await connect('woocommerce', 5)
    connected.beforePage(() => ({ status: 503, body: '' }))
    const { id } = await begin(connected, 'woocommerce')
    const admin = connected.shop.as('admin')
    const again = () => admin.post('/backfills', { system: 'woocommerce', days: 5 })
    expect(keyOf(await again())).toBe('409 backfill_running')
    await admin.post(`/backfills/${id}/cancel`)
    expect((await again()).status).toBe(200)
    expect(keyOf(await admin.post(`/backfills/${id}/resume`))).toBe('409 backfill_running')
    const { body, headers } = await connected.shop.as('viewer').get('/backfills')
    expect(body.map(({ status }: { status: string }) => status)).toEqual([expect.any(String), 'cancelled'])
    expect(headers['x-total-count']).toBe('2')
  })

  it('needs a connected system', async () => {
    const connected = await connect('woocommerce', 1)
    const admin = connected.shop.as('admin')
    for (const system of ['shopify', 'shopware']) {
      expect(keyOf(await admin.post('/backfills', { system, days: 5 }))).toBe('404 partner_key_not_found')
    }
    expect(keyOf(await admin.post('/backfills', { system: 'woocommerce', days: 366 }))).toBe('422 invalid_payload')
    expect(keyOf(await admin.get('/backfills/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'))).toBe('404 backfill_not_found')
  })

  it('skips an order with a problem and says which', async () => {
    const connected = await connect('shopify', 30)
    const [first, second] = connected.orders
    if (!first || !second) throw new Error('there are 30')
    delete second.order_number
    delete second.number
    delete second.name
    // Its number belongs to an order of ours that came from elsewhere.
    await connected.shop.as('editor').put('/orders', upsertOf('1001', { external_id: 'elsewhere' }))
    const { id } = await begin(connected, 'shopify')
    await settleBackfills(service)
    const { problems, ...backfill } = await read(connected, id)
    expect(backfill).toMatchObject({ status: 'completed', read: 30, created: 28, failed: 2 })
    expect(problems).toEqual([
      { order: '#1001', key: 'order_exists', message: expect.any(String) },
      { order: String(second.id), key: 'invalid_payload', message: expect.any(String) },
    ])
  })
})

describe('after a backfill', () => {
  it('real changes of its orders are announced', async () => {
    const connected = await connect('shopify', 14)
    const receiver = await listen(connected)
    await begin(connected, 'shopify')
    await settleBackfills(service)
    const index = connected.orders.findIndex((_, position) => journeyOf(position) === 'unsent')
    const order = connected.orders[index]
    if (!order) throw new Error('there is one')
    clock.advance(hourMs)
    const now = clock.now().toISOString()
    const sender = await senderOf(connected.shop, 'shopify')
    const fulfillment = {
      id: 99,
      order_id: order.id,
      status: 'success',
      created_at: now,
      updated_at: now,
      tracking_company: 'DHL',
      tracking_numbers: ['00340434161999999999'],
      line_items: order.line_items,
    }
    await sender.send('orders/fulfilled', { ...order, updated_at: now, fulfillments: [fulfillment] })
    await settle(service)
    expect(receiver.received.map(({ body }) => body.event_data.event_name)).toEqual(['ORDER_PROCESSED'])
  })

  it('what a carrier reports of the time before is recorded silently, and what follows is announced', async () => {
    const connected = await connect('shopify', 14, 30, { settings: { carriers_enabled: true } })
    const admin = connected.shop.as('admin')
    await admin.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['dhl'] } })
    await admin.put('/keys/aftership', aftershipKeys)
    const receiver = await listen(connected)
    await begin(connected, 'shopify')
    await settleBackfills(service)
    const index = connected.orders.findLastIndex((_, position) => journeyOf(position) === 'in transit')
    const takenOver = clock.now()
    clock.advance(hourMs)
    const push = (checkpoints: Parameters<typeof pushOf>[1]) => {
      const { payload, headers } = pushOf(trackingNumberOf(index), checkpoints)
      return call(
        'POST',
        `/v1/inbound/${connected.shop.slug}/carriers/aftership`,
        { auth: null, payload, headers },
        service,
      )
    }
    const old = { at: after(takenOver, -2 * minuteMs), subtag: 'InTransit_003' }
    expect((await push([old])).status).toBe(200)
    await settle(service)
    const { rows } = await sql<{ event_key: string; is_notified: boolean }>`
      select event_key, is_notified from shipment_events
      where shop_id = ${await shopIdOf(service, connected.shop)} and event_key = 'ARRIVED_AT_SORTING_CENTER'`.execute(
      database.db,
    )
    expect(rows).toEqual([{ event_key: 'ARRIVED_AT_SORTING_CENTER', is_notified: false }])
    expect(receiver.received).toEqual([])
    await push([old, { at: after(clock.now(), -minuteMs), subtag: 'OutForDelivery_001' }])
    await settle(service)
    expect(receiver.received.map(({ body }) => body.event_data.event_name)).toEqual(['OUT_FOR_DELIVERY'])
  })

  it('parcels that have arrived are not followed, and time that passed before fires no trigger', async () => {
    const connected = await connect('shopify', 28, 30, { settings: { carriers_enabled: true } })
    const admin = connected.shop.as('admin')
    await admin.put('/keys/aftership', aftershipKeys)
    await admin.patch('/settings/carriers/providers', { aftership: { status: 'live', enabled_carriers: ['dhl'] } })
    const receiver = await listen(connected)
    for (const time_threshold_type of ['latest_event_time', 'created_at']) {
      await admin.post('/settings/triggers/webhook/internal-triggers', {
        name: `Quiet since ${time_threshold_type}`,
        operator: 'AND',
        time_threshold_type,
        time_threshold_value: 48,
        phase_not_in: ['delivered'],
      })
    }
    await begin(connected, 'shopify')
    await settleBackfills(service)
    const journeys = connected.orders.map((_, index) => journeyOf(index))
    expect(await countOf(connected, 'tracked_parcels')).toBe(journeys.filter((one) => one === 'in transit').length)
    await evaluateInternalTriggers(service.context())
    clock.advance(minuteMs)
    await evaluateInternalTriggers(service.context())
    await settle(service)
    expect(receiver.received).toEqual([])
  })
})
