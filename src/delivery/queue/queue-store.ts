import { type RawBuilder, sql } from 'kysely'
import type { Endpoint } from './delivery.ts'
import { patienceMs } from './retry.ts'

/** The receiver of a row that has `shop_id` and `target`, as the index of due deliveries spells it. */
export function receiverKey(row: string): RawBuilder<string> {
  return sql`(${sql.ref(`${row}.shop_id`)}::text || ${sql.ref(`${row}.target`)})`
}

/**
 * Whether an earlier event of the same shipment is still unfinished for this receiver, and its next attempt is soon. One
 * that its sender has postponed blocks nothing until its time has come.
 */
export function waitsForEarlier(row: string, now: Date): RawBuilder<boolean> {
  const patientUntil = new Date(now.getTime() + patienceMs)
  return sql`exists (
    select 1 from deliveries as earlier
    where earlier.shop_id = ${sql.ref(`${row}.shop_id`)} and earlier.shipment_id = ${sql.ref(`${row}.shipment_id`)}
      and earlier.target = ${sql.ref(`${row}.target`)} and earlier.id < ${sql.ref(`${row}.id`)}
      -- A subselect, so that the planner does not estimate by the exact instant and replan every time.
      and earlier.finished_at is null and earlier.next_attempt_at < (select ${patientUntil}::timestamptz)
      and (earlier.postponed_until is null or earlier.postponed_until <= (select ${now}::timestamptz))
    -- Evaluated per row: as a join, planned while the queue is short, it would read the whole queue for every row.
    offset 0
  )`
}

/** The endpoint of a row whose `target` is one. */
export function endpointOf(row: string): RawBuilder<unknown> {
  const receiverId = sql.ref(`${row}.target`)
  return sql`(
    select url, sealed_url as "sealedUrl", secret, former_secret as "formerSecret", former_secret_until as "formerSecretUntil", headers,
      circuit_opened_at as "circuitOpenedAt"
    from webhook_endpoints
    where webhook_endpoints.shop_id = ${sql.ref(`${row}.shop_id`)}
      and webhook_endpoints.id = case when ${receiverId} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then ${receiverId}::uuid end
    offset 0
  )`
}

/** The columns that `endpointOf` reads; the URL is null if the receiver is no endpoint. */
export type EndpointColumns = Omit<Endpoint, 'url'> & { url: string | null }

export function toEndpoint(row: EndpointColumns): Endpoint | null {
  const { url, sealedUrl, secret, formerSecret, formerSecretUntil, headers, circuitOpenedAt } = row
  if (url === null) return null
  return { url, sealedUrl, secret, formerSecret, formerSecretUntil, headers, circuitOpenedAt }
}

/** Whether the log of a delivery already has the attempt with this number. */
export function isLogged(number: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`deliveries.attempt_log @> jsonb_build_array(jsonb_build_object('number', ${number}))`
}

/**
 * The runs of a receiver's log: every pair of status and event name that occurs, found by a loose index scan. In the index
 * of the log the deliveries of one run are adjacent, newest first. There are a few runs, at most one per name and status;
 * whatever the filter, a page is read from the beginnings of these runs.
 */
export function runsOfLog(shopId: RawBuilder<unknown>, receiverId: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOfReceiver = sql`deliveries.shop_id = ${shopId} and deliveries.target = ${receiverId}`
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

/** The same of all receivers of a shop: as many runs as its receivers have together. */
export function runsOfShop(shopId: RawBuilder<unknown>): RawBuilder<unknown> {
  const run = sql`deliveries.target, deliveries.status, deliveries.event_name`
  return sql`(
    with recursive hop as (
      (select ${run} from deliveries where deliveries.shop_id = ${shopId} order by ${run} limit 1)
      union all
      select next.target, next.status, next.event_name from hop
      cross join lateral (
        select ${run} from deliveries
        where deliveries.shop_id = ${shopId} and (${run}) > (hop.target, hop.status, hop.event_name)
        order by ${run}
        limit 1
      ) as next
    )
    select target, status, event_name from hop
  )`
}

/** Whether the attempt of a row `given` is the next of its delivery: no other was made since it was fetched. */
export const isCurrentAttempt = sql`(deliveries.attempts = given.number - 1 and deliveries.finished_at is null)`

/**
 * Leases and attempts need not reach the disk before work goes on. What a crash of the server loses is sent once more
 * under the same webhook-id; waiting for the disk took two of the three syncs of every delivery.
 */
export const withoutSync = sql`select set_config('synchronous_commit', 'off', true)`
