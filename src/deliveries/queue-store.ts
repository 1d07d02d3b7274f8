import { type RawBuilder, sql } from 'kysely'
import { patienceMs } from './retry.ts'

/** The receiver of a row that has `shop_id` and `target`, as the index of what is due knows it. */
export function laneOf(row: string): RawBuilder<string> {
  return sql`(${sql.ref(`${row}.shop_id`)}::text || ${sql.ref(`${row}.target`)})`
}

/** Whether an earlier event of the same shipment has yet to be answered by the receiver, and does not wait long for it. */
export function isHeldBack(row: string, now: Date): RawBuilder<boolean> {
  const patientUntil = new Date(now.getTime() + patienceMs)
  return sql`exists (
    select 1 from deliveries as earlier
    where earlier.shop_id = ${sql.ref(`${row}.shop_id`)} and earlier.shipment_id = ${sql.ref(`${row}.shipment_id`)}
      and earlier.target = ${sql.ref(`${row}.target`)} and earlier.id < ${sql.ref(`${row}.id`)}
      -- Chosen from, so that the planner does not weigh the very instant and plan each time anew.
      and earlier.finished_at is null and earlier.next_attempt_at < (select ${patientUntil}::timestamptz)
    -- Asked of each row: as a join, planned while the queue is thought to be short, it reads the whole of it for every row.
    offset 0
  )`
}

/** The endpoint of a row whose target is one. */
export function endpointOf(row: string): RawBuilder<unknown> {
  const target = sql.ref(`${row}.target`)
  return sql`(
    select url, secret, former_secret as "formerSecret", former_secret_until as "formerSecretUntil"
    from webhook_endpoints
    where webhook_endpoints.shop_id = ${sql.ref(`${row}.shop_id`)}
      and webhook_endpoints.id = case when ${target} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then ${target}::uuid end
    offset 0
  )`
}

/** Whether the log of a delivery has the attempt of this number. */
export function isNoted(number: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`deliveries.attempt_log @> jsonb_build_array(jsonb_build_object('number', ${number}))`
}

/**
 * The runs of a receiver's log: each pair of status and event name that there is, found by hopping through the index of the
 * log, in which the deliveries of such a pair lie together, newest first. There are as many as the catalogue has names at
 * most, and a few usually: whatever the log is asked for, it is read from the beginning of each.
 */
export function runsOfLog(shopId: RawBuilder<unknown>, target: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOfReceiver = sql`deliveries.shop_id = ${shopId} and deliveries.target = ${target}`
  return sql`(
    with recursive hop as (
      (
        select deliveries.status, deliveries.event_name from deliveries
        where ${isOfReceiver}
        order by deliveries.status, deliveries.event_name
        limit 1
      )
      union all
      select next.status, next.event_name from hop
      cross join lateral (
        select deliveries.status, deliveries.event_name from deliveries
        where ${isOfReceiver} and (deliveries.status, deliveries.event_name) > (hop.status, hop.event_name)
        order by deliveries.status, deliveries.event_name
        limit 1
      ) as next
    )
    select status, event_name from hop
  )`
}
