import { sql } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { WokenTarget } from '../../foundation/deliveries.ts'
import { Refusal } from '../../foundation/errors.ts'
import type { ShopContext } from '../../foundation/operation.ts'
import { cutPage, offsetOf, type Page, pageRequest } from '../../foundation/page.ts'
import { automationsTarget } from '../../notifications/store.ts'
import type { DeliveryFilter } from './schema.ts'

/** How an attempt went, as the log of its delivery keeps it. */
export interface StoredAttempt {
  number: number
  started_at: string
  duration_ms: number
  status_code: number | null
  answer: string | null
  stage: string | null
  error: string | null
}

export interface StoredDelivery {
  id: string
  target: string
  event_name: string
  ref: string
  event_group: string
  shipment_id: string | null
  order_id: string | null
  status: string
  attempts: number
  next_attempt_at: Date
  created_at: Date
  finished_at: Date | null
  attempt_log: StoredAttempt[]
  body: string
}

const columns = sql`
  deliveries.id, deliveries.target, deliveries.event_name, notifications.ref, deliveries.event_group,
  deliveries.shipment_id, notifications.order_id, deliveries.status, deliveries.attempts, deliveries.next_attempt_at,
  deliveries.created_at, deliveries.finished_at, deliveries.attempt_log`

export async function getDelivery(context: ShopContext, id: string): Promise<StoredDelivery> {
  const { rows } = await sql<StoredDelivery>`
    select ${columns}, notifications.body
    from deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    where deliveries.shop_id = ${context.shop.id} and deliveries.id = ${id}`.execute(context.db)
  const [delivery] = rows
  if (delivery === undefined) throw new Refusal('delivery_not_found', `This shop has no delivery ${id}.`)
  return delivery
}

/** One page of a target's deliveries, newest first. */
export async function listDeliveries(
  context: ShopContext,
  target: string,
  filter: DeliveryFilter,
): Promise<Page<StoredDelivery>> {
  const conditions = [
    sql`deliveries.shop_id = ${context.shop.id} and deliveries.target = ${target}`,
    ...(filter.status === undefined ? [] : [sql`deliveries.status = ${filter.status}`]),
    ...(filter.event === undefined ? [] : [sql`deliveries.event_name = ${filter.event}`]),
    ...(filter.shipment_id === undefined ? [] : [sql`deliveries.shipment_id = ${filter.shipment_id}`]),
  ]
  const rest = sql`from deliveries where ${sql.join(conditions, sql` and `)}`
  const request = pageRequest(filter)
  const { rows } = await sql<StoredDelivery>`
    select ${columns}, '' as body
    from (
      select deliveries.* ${rest} order by deliveries.id desc limit ${request.perPage + 1} offset ${offsetOf(request)}
    ) as deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    order by deliveries.id desc`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  const search = `deliveries ${context.shop.id} ${target} ${JSON.stringify(given)}`
  return cutPage(request, rows, () => countUpTo(context, search, rest))
}

/** The deliveries of a shipment's notifications, oldest first: what a timeline shows. */
export async function deliveriesOfShipment(
  context: ShopContext,
  shipmentId: string,
): Promise<(StoredDelivery & { notification_id: string })[]> {
  const { rows } = await sql<StoredDelivery & { notification_id: string }>`
    select ${columns}, deliveries.notification_id, '' as body
    from notifications
    join deliveries on deliveries.shop_id = notifications.shop_id and deliveries.notification_id = notifications.id
    where notifications.shop_id = ${context.shop.id} and notifications.shipment_id = ${shipmentId}
      and deliveries.target <> ${automationsTarget}
    order by notifications.id, deliveries.id
    limit 2000`.execute(context.db)
  return rows
}

/** Makes a delivery due again, with its attempts counted anew; undefined where there is none. */
export async function requeueDelivery(context: ShopContext, id: string): Promise<WokenTarget | undefined> {
  const { rows } = await sql<WokenTarget>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id = ${id}
    returning shop_id as "shopId", target`.execute(context.db)
  return rows[0]
}

/** Makes the dead letters of a target since then due again, at most so many at once; answers how many. */
export async function requeueDead(context: ShopContext, target: string, since: Date, atMost: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id in (
      select id from deliveries
      where shop_id = ${context.shop.id} and target = ${target} and status = 'dead' and created_at >= ${since}
      order by id desc
      limit ${sql.lit(atMost)}
    )
    returning id`.execute(context.db)
  return rows.length
}
