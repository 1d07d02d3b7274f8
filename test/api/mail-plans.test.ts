import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { findStates, listRecipients } from '../../src/messages/recipients/store.ts'
import { findEarlierMessages } from '../../src/messages/timing/store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import { createOrder } from '../harness/orders.ts'
import { expectNoScan, explain, indexesOf } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

let context: ShopContext
const notificationId = randomUUID()
const deliveryId = newId(new Date())

beforeAll(async () => {
  const made = await makeShop()
  const service = await theService()
  const { db } = service.database
  const shop = await db.selectFrom('shops').where('slug', '=', made.slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), shop }
  const order = await createOrder(made.as('admin'))
  const other = await createOrder(made.as('admin'))
  const { now } = context
  // One message of the order, among thousands of messages of the shop.
  await sql`
    insert into notifications (shop_id, id, source, ref, event_name, event_group, order_id, body, triggered_at)
    select ${shop.id}, case number when 0 then ${notificationId}::uuid else gen_random_uuid() end, 'shipments', 'ref', 'X',
      'shipment_in_transit', case number when 0 then ${order.uuid}::uuid else gen_random_uuid() end, '{}', ${now}
    from generate_series(0, 2000) as number`.execute(db)
  await sql`
    insert into deliveries (shop_id, id, notification_id, target, event_name, event_group, status, next_attempt_at,
      created_at, finished_at)
    select shop_id, case id when ${notificationId}::uuid then ${deliveryId}::uuid else gen_random_uuid() end, id, 'smtp', 'X',
      event_group, 'delivered', ${now}, ${now}, ${now}
    from notifications where shop_id = ${shop.id}`.execute(db)
  await sql`
    insert into mail_messages (shop_id, delivery_id, order_id, is_about_parcels, started_at)
    select shop_id, id, case when id = ${deliveryId} then ${order.uuid}::uuid else ${other.uuid}::uuid end, true, ${now}
    from deliveries where shop_id = ${shop.id} and status = 'delivered' and target = 'smtp'`.execute(db)
  await sql`
    insert into mail_recipients (shop_id, id, digest, suppressed_at, created_at)
    select ${shop.id}, gen_random_uuid(), sha256(number::text::bytea), ${now}, ${now}
    from generate_series(1, 2000) as number`.execute(db)
  await sql`vacuum analyze notifications, deliveries, mail_messages, mail_recipients`.execute(db)
})

describe('a message to a customer is decided about by indexes', () => {
  it('by the other messages of its order', async () => {
    const wanted = [{ shopId: context.shop.id, deliveryId, notificationId, now: context.now }]
    const [plan] = await explain(context, (context) => findEarlierMessages(context, wanted))
    expectNoScan(plan)
    expect(indexesOf(plan)).toEqual(expect.arrayContaining(['notifications_order', 'deliveries_notification']))
  })

  it('by the digest of its address', async () => {
    const [plan] = await explain(context, (context) =>
      findStates(context, [{ shopId: context.shop.id, digest: Buffer.alloc(32) }]),
    )
    expectNoScan(plan)
    expect(indexesOf(plan)).toContain('mail_recipients_digest')
  })

  it('and suppressed addresses are listed by the page', async () => {
    const [plan] = await explain(context, (context) => listRecipients(context, { page: 1, per_page: 30 }))
    expectNoScan(plan)
  })
})
