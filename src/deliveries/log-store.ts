import { type RawBuilder, sql } from 'kysely'
import { countUpTo } from '../database/count.ts'
import type { ShopContext } from '../foundation/context.ts'
import { ApiError } from '../foundation/errors.ts'
import { earliestId } from '../foundation/ids.ts'
import { cutPage, exactTotalLimit, offsetOf, type Page, pageRequest, reachOf } from '../foundation/page.ts'
import type { Receiver } from './delivery.ts'
import { automationsTarget } from './delivery.ts'
import type { DeliveryFilter } from './log-schema.ts'
import { runsOfLog } from './queue-store.ts'

/** How an attempt went, as stored in the log of its delivery. */
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
  if (delivery === undefined) throw new ApiError('delivery_not_found', `This shop has no delivery ${id}.`)
  return delivery
}

/** One page of a target's deliveries, newest first. */
export async function listDeliveries(
  context: ShopContext,
  target: string,
  filter: DeliveryFilter,
): Promise<Page<StoredDelivery>> {
  const request = pageRequest(filter)
  const idsUpTo = (limit: number) =>
    filter.shipment_id === undefined
      ? idsInRuns(context, target, filter, limit)
      : idsOfShipment(context, target, filter, filter.shipment_id)
  const { rows } = await sql<StoredDelivery>`
    select ${columns}, '' as body
    from (
      select found.id from (${idsUpTo(reachOf(request))}) as found
      order by found.id desc
      limit ${request.perPage + 1} offset ${offsetOf(request)}
    ) as page
    cross join lateral (
      select * from deliveries where deliveries.shop_id = ${context.shop.id} and deliveries.id = page.id offset 0
    ) as deliveries
    join notifications on notifications.shop_id = deliveries.shop_id and notifications.id = deliveries.notification_id
    order by deliveries.id desc`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  const search = `deliveries ${context.shop.id} ${target} ${JSON.stringify(given)}`
  return cutPage(request, rows, () => countUpTo(context, search, sql`from (${idsUpTo(exactTotalLimit + 1)}) as found`))
}

/** The newest deliveries of each run of the log that matches the filter. */
function idsInRuns(
  context: ShopContext,
  target: string,
  filter: { status?: string | undefined; event?: string | undefined; since?: Date },
  limit: number,
): RawBuilder<unknown> {
  const wanted = [
    ...(filter.status === undefined ? [] : [sql`runs.status = ${filter.status}`]),
    ...(filter.event === undefined ? [] : [sql`runs.event_name = ${filter.event}`]),
  ]
  return sql`
    select newest.id
    from ${runsOfLog(sql`${context.shop.id}`, sql`${target}`)} as runs
    cross join lateral (
      select deliveries.id from deliveries
      where deliveries.shop_id = ${context.shop.id} and deliveries.target = ${target}
        and deliveries.status = runs.status and deliveries.event_name = runs.event_name
        ${filter.since === undefined ? sql`` : sql`and deliveries.id >= ${earliestId(filter.since)}`}
      order by deliveries.id desc
      limit ${sql.lit(limit)}
    ) as newest
    ${wanted.length === 0 ? sql`` : sql`where ${sql.join(wanted, sql` and `)}`}`
}

/** One shipment has few, found through its notices. */
function idsOfShipment(
  context: ShopContext,
  target: string,
  filter: Pick<DeliveryFilter, 'status' | 'event'>,
  shipmentId: string,
): RawBuilder<unknown> {
  const conditions = [
    sql`deliveries.target = ${target}`,
    ...(filter.status === undefined ? [] : [sql`deliveries.status = ${filter.status}`]),
    ...(filter.event === undefined ? [] : [sql`deliveries.event_name = ${filter.event}`]),
  ]
  return sql`
    select deliveries.id from notifications
    join deliveries on deliveries.shop_id = notifications.shop_id and deliveries.notification_id = notifications.id
    where notifications.shop_id = ${context.shop.id} and notifications.shipment_id = ${shipmentId}
      and ${sql.join(conditions, sql` and `)}`
}

/** A shipment, or an order with all that was ever sent of it. */
export interface Subject {
  column: 'shipment_id' | 'order_id'
  id: string
}

/** The deliveries of the notifications about it, oldest first: what a timeline shows. */
export async function deliveriesAbout(
  context: ShopContext,
  { column, id }: Subject,
): Promise<(StoredDelivery & { notification_id: string })[]> {
  const { rows } = await sql<StoredDelivery & { notification_id: string }>`
    select ${columns}, deliveries.notification_id, '' as body
    from notifications
    join deliveries on deliveries.shop_id = notifications.shop_id and deliveries.notification_id = notifications.id
    where notifications.shop_id = ${context.shop.id} and ${sql.ref(`notifications.${column}`)} = ${id}
      and deliveries.target <> ${automationsTarget}
    order by notifications.id, deliveries.id
    limit 2000`.execute(context.db)
  return rows
}

/** Makes a delivery due again and restarts its retry schedule; undefined if there is none. */
export async function requeueDelivery(context: ShopContext, id: string): Promise<Receiver | undefined> {
  const { rows } = await sql<Receiver>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id = ${id}
    returning shop_id as "shopId", target`.execute(context.db)
  return rows[0]
}

/** Makes the dead letters of a target since then due again, up to a limit; returns how many. */
export async function requeueDead(context: ShopContext, target: string, since: Date, atMost: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id in (
      -- Their ids begin with their time.
      select found.id from (${idsInRuns(context, target, { status: 'dead', since }, atMost)}) as found
      order by found.id desc
      limit ${sql.lit(atMost)}
    )
    returning id`.execute(context.db)
  return rows.length
}
