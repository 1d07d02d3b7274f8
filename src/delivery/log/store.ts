import { type RawBuilder, sql } from 'kysely'
import { after } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { earliestId } from '../../platform/foundation/ids.ts'
import { cutPage, exactTotalLimit, offsetOf, type Page, pageRequest, reachOf } from '../../platform/foundation/page.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { countUpTo } from '../../platform/store/count.ts'
import { probeTimeOf } from '../queue/circuit-store.ts'
import { automationsReceiver, type Receiver } from '../queue/delivery.ts'
import { runsOfLog, runsOfShop } from '../queue/queue-store.ts'
import type { DeliveryFilter } from './schema.ts'

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
  receiverId: string
  event_name: string
  ref: string
  event_group: string
  shipment_id: string | null
  order_id: string | null
  order_number: string | null
  status: string
  attempts: number
  next_attempt_at: Date
  created_at: Date
  finished_at: Date | null
  attempt_log: StoredAttempt[]
  /** The customer was erased, and so were their data in the payload. */
  is_erased: boolean
  body: string
}

const columns = sql`
  deliveries.id, deliveries.target as "receiverId", deliveries.event_name, notifications.ref, deliveries.event_group,
  deliveries.shipment_id, notifications.order_id, (
    select order_number from orders where orders.shop_id = notifications.shop_id and orders.id = notifications.order_id
  ), deliveries.status, deliveries.attempts,
  greatest(coalesce(deliveries.reserved_due_at, deliveries.next_attempt_at), ${probeTimeOf('deliveries')}) as next_attempt_at,
  deliveries.created_at, deliveries.finished_at, deliveries.attempt_log, deliveries.is_erased`

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

/** One page of deliveries, newest first: to one receiver, or of all receivers of the shop. */
export async function listDeliveries(
  context: ShopContext,
  receiverId: string | undefined,
  filter: DeliveryFilter,
): Promise<Page<StoredDelivery>> {
  const request = pageRequest(filter)
  const idsUpTo = (limit: number) => findIds(context, receiverId, filter, limit)
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
  const search = `deliveries ${context.shop.id} ${receiverId} ${JSON.stringify(given)}`
  return cutPage(request, rows, () => countUpTo(context, search, sql`from (${idsUpTo(exactTotalLimit + 1)}) as found`))
}

/** The ids of matching deliveries, with the newest up to a limit among them. Each way has its index. */
function findIds(
  context: ShopContext,
  receiverId: string | undefined,
  filter: DeliveryFilter,
  limit: number,
): RawBuilder<unknown> {
  const { status, event, shipment_id, order_id, created_from, created_to } = filter
  const period = {
    since: created_from === undefined ? undefined : instant(created_from),
    until: created_to === undefined ? undefined : instant(created_to),
  }
  if (shipment_id !== undefined || order_id !== undefined) return idsOfNotices(context, receiverId, filter, period)
  if (receiverId !== undefined) return idsInRuns(context, receiverId, { status, event, ...period }, limit)
  if (status === undefined && event === undefined) return newestIds(context, period, limit)
  return idsInRunsOfShop(context, { status, event, ...period }, limit)
}

interface TimeRange {
  since?: Date | undefined
  until?: Date | undefined
}

interface RunFilter extends TimeRange {
  status?: string | undefined
  event?: string | undefined
}

/** The newest deliveries of each run of the receiver's log that matches the filter. */
function idsInRuns(context: ShopContext, receiverId: string, filter: RunFilter, limit: number): RawBuilder<unknown> {
  return sql`
    select newest.id
    from ${runsOfLog(sql`${context.shop.id}`, sql`${receiverId}`)} as runs
    cross join lateral (${newestOfRun(context, sql`${receiverId}`, filter, limit)}) as newest
    where ${matchesRun(filter)}`
}

/** The same for all receivers. Deliveries that wait for automations are not sent to anybody. */
function idsInRunsOfShop(context: ShopContext, filter: RunFilter, limit: number): RawBuilder<unknown> {
  return sql`
    select newest.id
    from ${runsOfShop(sql`${context.shop.id}`)} as runs
    cross join lateral (${newestOfRun(context, sql`runs.target`, filter, limit)}) as newest
    where runs.target <> ${automationsReceiver} and ${matchesRun(filter)}`
}

function newestOfRun(
  context: ShopContext,
  receiverId: RawBuilder<unknown>,
  period: TimeRange,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select deliveries.id from deliveries
    where deliveries.shop_id = ${context.shop.id} and deliveries.target = ${receiverId}
      and deliveries.status = runs.status and deliveries.event_name = runs.event_name ${inPeriod(period)}
    order by deliveries.id desc
    limit ${sql.lit(limit)}`
}

function matchesRun({ status, event }: RunFilter): RawBuilder<unknown> {
  const wanted = [
    ...(status === undefined ? [] : [sql`runs.status = ${status}`]),
    ...(event === undefined ? [] : [sql`runs.event_name = ${event}`]),
  ]
  return wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `)
}

/** The newest of the shop, by the primary key. */
function newestIds(context: ShopContext, period: TimeRange, limit: number): RawBuilder<unknown> {
  return sql`
    select deliveries.id from deliveries
    where deliveries.shop_id = ${context.shop.id} and deliveries.target <> ${automationsReceiver} ${inPeriod(period)}
    order by deliveries.id desc
    limit ${sql.lit(limit)}`
}

/** Ids begin with their time. */
function inPeriod({ since, until }: TimeRange): RawBuilder<unknown> {
  return sql`
    ${since === undefined ? sql`` : sql`and deliveries.id >= ${earliestId(since)}`}
    ${until === undefined ? sql`` : sql`and deliveries.id < ${earliestId(after(until, 1))}`}`
}

/** One shipment or order has few, found through its notices. */
function idsOfNotices(
  context: ShopContext,
  receiverId: string | undefined,
  filter: DeliveryFilter,
  period: TimeRange,
): RawBuilder<unknown> {
  const conditions = [
    sql`deliveries.target ${receiverId === undefined ? sql`<> ${automationsReceiver}` : sql`= ${receiverId}`}`,
    ...(filter.shipment_id === undefined ? [] : [sql`notifications.shipment_id = ${filter.shipment_id}`]),
    ...(filter.order_id === undefined ? [] : [sql`notifications.order_id = ${filter.order_id}`]),
    ...(filter.status === undefined ? [] : [sql`deliveries.status = ${filter.status}`]),
    ...(filter.event === undefined ? [] : [sql`deliveries.event_name = ${filter.event}`]),
  ]
  return sql`
    select deliveries.id from notifications
    join deliveries on deliveries.shop_id = notifications.shop_id and deliveries.notification_id = notifications.id
    where notifications.shop_id = ${context.shop.id} and ${sql.join(conditions, sql` and `)} ${inPeriod(period)}`
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
      and deliveries.target <> ${automationsReceiver}
    order by notifications.id, deliveries.id
    limit 2000`.execute(context.db)
  return rows
}

/** Makes deliveries due again and restarts their retry schedules; returns those that the shop has. */
export async function requeueDeliveries(
  context: ShopContext,
  ids: readonly string[],
): Promise<(Receiver & { id: string })[]> {
  const { rows } = await sql<Receiver & { id: string }>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id = any(${ids}::uuid[]) and target <> ${automationsReceiver}
    returning shop_id as "shopId", target as "receiverId", id`.execute(context.db)
  return rows
}

/** Makes the dead letters of a receiver since then due again, up to a limit; returns how many. */
export async function requeueDead(
  context: ShopContext,
  receiverId: string,
  since: Date,
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'pending', next_attempt_at = ${context.now}, finished_at = null,
      attempts_before = attempts
    where shop_id = ${context.shop.id} and id in (
      -- Their ids begin with their time.
      select found.id from (${idsInRuns(context, receiverId, { status: 'dead', since }, atMost)}) as found
      order by found.id desc
      limit ${sql.lit(atMost)}
    )
    returning id`.execute(context.db)
  return rows.length
}
