import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const service = await theService()
afterEach(() => clock.reset())

const summaryOf = async (shop: ShopCaller, query: Record<string, string> = {}) =>
  (await shop.get('/analytics/summary', query)).body

async function send(shop: ShopCaller, placedAt: string, fields: Record<string, unknown> = {}): Promise<string> {
  const number = uniqueNumber('AN')
  const tracking = { tracking_number: number, tracking_placed_at: placedAt, carrier_reference: 'dhl' }
  const { status, text } = await shop.put(
    '/orders',
    upsertOf(uniqueNumber(), { order_placed_at: placedAt, ...fields }, [tracking]),
  )
  if (status !== 200) throw new Error(text)
  return number
}

const scan = (shop: ShopCaller, id: string, event_name: string, event_time: string) =>
  shop.post('/shipment-events', { id, event_name, event_time })

const june = { from: '2024-06-01', to: '2024-06-30' }

describe('summary of a period', () => {
  it('is all zeros for a shop without activity', async () => {
    const shop = (await makeShop()).as('viewer')
    const summary = await summaryOf(shop, june)
    expect(summary).toMatchObject({
      ...june,
      orders: { placed: 0 },
      shipments: { created: 0, by_phase: { delivered: 0, in_transit: 0 }, by_flag: { normal: 0, delay: 0, error: 0 } },
      deliveries: {
        delivered: 0,
        failed_attempts: 0,
        transit_days: { median: null, p90: null },
        windows: { predicted: 0, held_share: null },
      },
      claims: { filed: 0, by_status: { pending: 0, closed: 0 } },
      campaigns: { exposures: 0, clicks: 0, orders: 0, revenue: [], campaigns: [] },
    })
    expect(summary.days).toHaveLength(30)
    expect(summary.days[0]).toEqual({ date: '2024-06-01', orders: 0, deliveries: 0 })
    expect(summary.days.at(-1).date).toBe('2024-06-30')
  })

  it('counts orders and deliveries on their own days, with the first and the last moment of the period', async () => {
    const shop = (await makeShop()).as('editor')
    for (const time of ['2024-05-31T23:59:59.999Z', '2024-06-01T00:00:00Z', '2024-06-30T23:59:59.999Z', '2024-07-01']) {
      await send(shop, time)
    }
    const days = [1, 2, 3, 4, 10]
    for (const [index, transit] of days.entries()) {
      const placedAt = Date.UTC(2024, 4, 20 + index)
      const number = await send(shop, new Date(placedAt).toISOString())
      await scan(shop, number, 'SUCCESSFULLY_DELIVERED', new Date(Date.UTC(2024, 5, 2) + transit * dayMs).toISOString())
      await sql`update shipments set placed_at = delivered_at - ${transit} * interval '1 day'
        where tracking_number = ${number}`.execute(service.database.db)
    }
    const summary = await summaryOf(shop, june)
    expect(summary.orders.placed).toBe(2)
    expect(summary.deliveries).toMatchObject({ delivered: 5, transit_days: { median: 3, p90: 7.6 } })
    const busy = summary.days.filter(
      ({ orders, deliveries }: Record<string, number>) => (orders ?? 0) + (deliveries ?? 0),
    )
    expect(busy).toEqual([
      { date: '2024-06-01', orders: 1, deliveries: 0 },
      { date: '2024-06-03', orders: 0, deliveries: 1 },
      { date: '2024-06-04', orders: 0, deliveries: 1 },
      { date: '2024-06-05', orders: 0, deliveries: 1 },
      { date: '2024-06-06', orders: 0, deliveries: 1 },
      { date: '2024-06-12', orders: 0, deliveries: 1 },
      { date: '2024-06-30', orders: 1, deliveries: 0 },
    ])
  })

  it('does not count returns as deliveries, and counts failed attempts by their time', async () => {
    const shop = (await makeShop()).as('editor')
    const number = await send(shop, '2024-06-01T10:00:00Z')
    const failures = [
      'DELIVERY_ATTEMPTED',
      'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
      'ATTEMPTED_DELIVERY_UNDELIVERABLE',
    ]
    for (const [index, name] of failures.entries()) await scan(shop, number, name, `2024-06-0${2 + index}T10:00:00Z`)
    await scan(shop, number, 'DELIVERY_ATTEMPTED', '2024-07-02T10:00:00Z')
    await scan(shop, number, 'PICKUP_ATTEMPTED', '2024-06-02T10:00:00Z')
    const { shipments } = (await shop.get('/shipments', { tracking_number: number })).body
    const back = uniqueNumber('BACK')
    const order = { order_id: shipments[0].order_id, order_id_type: 'uuid' }
    await shop.post('/shipments', { ...order, tracking_number: back, direction: 'customer_merchant' })
    await scan(shop, back, 'SUCCESSFULLY_DELIVERED', '2024-06-09T10:00:00Z')
    expect((await summaryOf(shop, june)).deliveries).toMatchObject({ delivered: 0, failed_attempts: 3 })
  })

  it('reports where its shipments are now, and the status of its claims', async () => {
    const shop = (await makeShop()).as('editor')
    const numbers = [await send(shop, '2026-11-01'), await send(shop, '2026-11-01'), await send(shop, '2026-11-01')]
    await createOrder(shop)
    const now = new Date(clock.now().getTime()).toISOString()
    await scan(shop, numbers[0] ?? '', 'SUCCESSFULLY_DELIVERED', now)
    await scan(shop, numbers[1] ?? '', 'DELAY_IN_TRANSPORT', now)
    const claims = [
      { reason: 'damage', status: 'pending' },
      { reason: 'damage', status: 'accepted' },
      { reason: 'support', status: 'closed' },
    ]
    for (const claim of claims) await shop.post('/claims', { tracking_number: numbers[0], ...claim })
    const hidden = await shop.post('/claims', { tracking_number: numbers[0], reason: 'return' })
    await shop.delete(`/claims/${hidden.body.uuid}`)
    const summary = await summaryOf(shop)
    expect(summary.shipments).toMatchObject({
      created: 4,
      by_phase: { delivered: 1, in_transit: 1, order_processed: 1, order_created: 1, collect: 0 },
      by_flag: { normal: 3, delay: 1, error: 0 },
    })
    expect(summary.claims).toMatchObject({
      filed: 3,
      by_reason: { damage: 2, support: 1, return: 0 },
      by_status: { pending: 1, accepted: 1, rejected: 0, closed: 1 },
    })
    clock.advance(40 * dayMs)
    expect(await summaryOf(shop)).toMatchObject({ shipments: { created: 0 }, claims: { filed: 0 } })
  })

  it('counts deliveries of notifications by status, webhooks and integrations separately', async () => {
    const shop = (await makeShop()).as('admin')
    const [well, failing] = [await startReceiver(), await startReceiver()]
    onTestFinished(async () => {
      await well.close()
      await failing.close()
    })
    failing.respond = () => ({ status: 500 })
    await shop.post('/webhooks', { url: well.url })
    await shop.post('/webhooks', { url: failing.url })
    await shop.patch('/settings/triggers/klaviyo', { status: true })
    await createOrder(shop, { order_placed_at: undefined })
    await settle(service)
    expect((await summaryOf(shop)).notifications).toEqual({
      webhooks: { pending: 1, delivered: 1, skipped: 0, dead: 0 },
      integrations: { pending: 0, delivered: 0, skipped: 0, dead: 1 },
    })
    clock.advance(40 * dayMs)
    expect((await summaryOf(shop)).notifications.webhooks.delivered).toBe(0)
  })

  it('counts what campaigns showed, and the orders that name them by id or by name, by currency', async () => {
    const shop = (await makeShop()).as('editor')
    const campaign = await createCampaign(shop, { enabled: true, name: 'Autumn sale' })
    const seen = await createOrder(shop)
    const { body } = await shop.post('/orders/trackpage-url', { id: seen.order_number })
    const token = body.url.split('/').at(-1)
    for (const what of ['exposures', 'clicks']) {
      await call('POST', `/v1/public/${token}/${what}`, { auth: null, body: { campaign_id: campaign.uuid } })
    }
    const ordered = [
      { campaign: campaign.uuid.toUpperCase(), currency: 'EUR', total_order_price: 10.1 },
      { campaign: 'Autumn sale', currency: 'EUR', total_order_price: 20.2 },
      { campaign: 'Autumn sale', currency: 'SEK', total_order_price: 300 },
      { campaign: 'another', currency: 'EUR', total_order_price: 1 },
      { campaign: undefined, currency: 'EUR', total_order_price: 2 },
    ]
    for (const { campaign, ...fields } of ordered) {
      await createOrder(shop, {
        order_placed_at: undefined,
        ...fields,
        order_analytics: { source: 'trackpages', campaign },
      })
    }
    await createOrder(shop, {
      order_placed_at: undefined,
      order_analytics: { source: 'elsewhere', campaign: 'Autumn sale' },
    })
    expect((await summaryOf(shop)).campaigns).toEqual({
      exposures: 1,
      clicks: 1,
      orders: 5,
      revenue: [
        { currency: 'SEK', amount: 300 },
        { currency: 'EUR', amount: 33.3 },
      ],
      campaigns: [
        {
          campaign_id: campaign.uuid,
          name: 'Autumn sale',
          exposures: 1,
          clicks: 1,
          orders: 3,
          revenue: [
            { currency: 'SEK', amount: 300 },
            { currency: 'EUR', amount: 30.3 },
          ],
        },
      ],
    })
  })

  it('agrees with the report of delivery windows', async () => {
    const shop = (await makeShop()).as('editor')
    const times = ['2024-06-09T23:59:59Z', '2024-06-10T00:00:00Z', '2024-06-12T23:59:59Z', '2024-06-13T00:00:00Z']
    for (const time of times) {
      const number = await send(shop, '2024-06-07T10:00:00Z')
      await scan(shop, number, 'SUCCESSFULLY_DELIVERED', time)
      await sql`update shipments set predicted_from = '2024-06-10T00:00:00Z', predicted_to = '2024-06-12T23:59:59.999Z'
        where tracking_number = ${number}`.execute(service.database.db)
    }
    const { windows } = (await summaryOf(shop, june)).deliveries
    expect(windows).toEqual({ predicted: 4, early: 1, held: 2, late: 1, held_share: 0.5 })
    const report = await shop.get('/analytics/delivery-windows', { from: '2024-06-01', to: '2024-07-01' })
    expect(report.body).toMatchObject(windows)
  })

  it('counts nothing of another shop', async () => {
    const [shop, other] = [(await makeShop()).as('editor'), (await makeShop()).as('editor')]
    const number = await send(other, '2024-06-02T10:00:00Z')
    await scan(other, number, 'SUCCESSFULLY_DELIVERED', '2024-06-03T10:00:00Z')
    await other.post('/claims', { tracking_number: number, reason: 'damage' })
    const empty = await summaryOf(shop, june)
    expect(empty).toMatchObject({ orders: { placed: 0 }, deliveries: { delivered: 0 }, claims: { filed: 0 } })
    expect(await summaryOf(other, june)).toMatchObject({ orders: { placed: 1 }, deliveries: { delivered: 1 } })
  })
})

describe('period', () => {
  it('defaults to the last 30 days, and spans at most a year', async () => {
    const shop = (await makeShop()).as('viewer')
    const today = clock.now().toISOString().slice(0, 10)
    const summary = await summaryOf(shop)
    expect(summary.to).toBe(today)
    expect(summary.days).toHaveLength(30)
    expect((await summaryOf(shop, { from: '2024-01-01', to: '2024-12-31' })).days).toHaveLength(366)
    expect((await summaryOf(shop, { from: '2024-02-29', to: '2024-02-29' })).days).toHaveLength(1)
    expect((await summaryOf(shop, { to: '9999-12-31' })).days).toHaveLength(30)
  })

  it('is rejected if it is not a period', async () => {
    const shop = (await makeShop()).as('viewer')
    const refused: [query: Record<string, string>, name: string][] = [
      [{ from: '2024-01-01', to: '2025-01-01' }, 'from'],
      [{ from: '2024-06-02', to: '2024-06-01' }, 'to'],
      [{ from: '2024-02-30', to: '2024-03-01' }, 'from'],
      [{ from: '2024-06-01T10:00:00Z', to: '2024-06-02' }, 'from'],
      [{ to: 'soon' }, 'to'],
      [{ to: '0000-01-05' }, 'to'],
      [{ from: '1969-12-31', to: '1970-01-02' }, 'from'],
    ]
    for (const [query, name] of refused) {
      expect(await shop.get('/analytics/summary', query), JSON.stringify(query)).toMatchObject({
        status: 422,
        body: { key: 'invalid_payload', errors: [{ loc: ['query', name] }] },
      })
    }
  })
})
