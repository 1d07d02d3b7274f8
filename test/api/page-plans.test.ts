import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { findOrderStates, findPageOrder } from '../../src/customer-view/order-page/store.ts'
import { pageToken, parsePageToken } from '../../src/orders/page-addresses/page-token.ts'
import { findProvenOrder } from '../../src/orders/page-addresses/store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { expectNoScan, explain, indexesOf, loadRows, nodesOf, type Plan } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const ordersOfShop = 2_000
let context: ShopContext
let orderId: string

beforeAll(async () => {
  const shops = await Promise.all([makeShop(), makeShop()])
  const service = await theService()
  const { db } = service.database
  await loadRows(db, async (db) => {
    for (const { slug } of shops) {
      await sql`
      with shop as (select id from shops where slug = ${slug}), numbered as (
        select shop.id as shop_id, number, md5(${slug} || 'order' || number)::uuid as id
        from shop, generate_series(1, ${ordersOfShop}::int) as number
      ), ordered as (
        insert into orders (shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
          expected_number_of_shipments, details, created_at, updated_at)
        select shop_id, id, 'N' || number, 'E' || number, '#' || number, number || '@example.com', '10115', now(), 1,
          '{"products": []}', now(), now() from numbered
      ), sent as (
        insert into shipments (shop_id, id, order_id, tracking_number, direction, phase, flag, current_event_key,
          current_event_at, latest_event_at, placed_at, created_at, updated_at)
        select shop_id, id, id, 'T' || number, 'merchant_customer', 'in_transit', 'normal', 'AT_TRANSPORT_HUB',
          now(), now(), now(), now(), now() from numbered
      ), claimed as (
        insert into claims (shop_id, id, order_id, shipment_id, reason, status, details, created_at, updated_at)
        select shop_id, id, id, id, 'damage', 'pending', '{}', now(), now() from numbered
      )
      insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
      select shop_id, id, now() - make_interval(hours => scan), 'AT_TRANSPORT_HUB', gen_random_uuid(), 'api', false, now()
      from numbered, generate_series(1, 3) as scan`.execute(db)
    }
  })
  await sql`vacuum analyze orders, shipments, shipment_events, claims`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', shops[1].slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop }
  const order = await db.selectFrom('orders').where('shop_id', '=', shop.id).select('id').executeTakeFirstOrThrow()
  orderId = order.id
})

const rowsRead = (plan: Plan | undefined) =>
  nodesOf(plan).reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)

describe('queries of a page use an index, however much the shop has', () => {
  it('the order with everything that is shown, in one statement', async () => {
    const opened = parsePageToken(pageToken(context, { shopId: context.shop.id, orderId, nonce: null }))
    if (opened === undefined) throw new Error('a token that was just made can be read')
    const plans = await explain(context, (context) => findPageOrder(context, opened))
    expect(plans).toHaveLength(1)
    expect(indexesOf(plans[0])).toEqual(
      expect.arrayContaining(['orders_pkey', 'shipments_order_tracking', 'shipment_events_pkey', 'claims_order']),
    )
    expect(rowsRead(plans[0])).toBeLessThan(60)
  })

  it('the states of orders that are watched', async () => {
    const [plan] = await explain(context, (context) => findOrderStates(context, [{ shopId: context.shop.id, orderId }]))
    expectNoScan(plan)
    expect(rowsRead(plan)).toBeLessThan(30)
  })

  it('the order that a customer looks up', async () => {
    const [plan] = await explain(context, (context) =>
      findProvenOrder(context, context.shop.id, { number: '77', proof: '10115' }),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['orders_number', 'orders_name']))
    expect(rowsRead(plan)).toBeLessThan(30)
  })
})
