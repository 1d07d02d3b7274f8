import { sql } from 'kysely'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { CommitScope } from '../../platform/foundation/transaction.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'
import { customsGroupFact, findFact, putFact, removeFact } from '../../platform/store/installation.ts'
import { hasNodesBefore } from '../../platform/store/older-nodes.ts'
import { automationsReceiver, type Delivery } from './delivery.ts'
import { bodyOf, type FetchedRow, fetchedColumns, type LeasedRow, toDeliveries } from './fetch-store.ts'
import { endpointOf, waitsForEarlier } from './queue-store.ts'

/** A node that is restarted, or has lost its connection, is back by then. */
const quietMs = hourMs
/** The first edition of the catalogue with the group of customs. */
const firstEdition = 1

/**
 * Fetches deliveries that only nodes of this version may send, each by a lease of its own: a trigger in the database has postponed them
 * for older nodes. Those of an open circuit wait until it is closed.
 */
export async function fetchReserved(
  scope: CommitScope,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Delivery[]> {
  const { rows } = await sql<FetchedRow & Omit<LeasedRow, 'id'>>`
    with due as materialized (
      select deliveries.shop_id, deliveries.id from deliveries
      where deliveries.finished_at is null and deliveries.reserved_due_at <= ${now}
        and deliveries.target <> ${automationsReceiver}
        and not ${isOfStoppedShop('deliveries')} and not ${waitsForEarlier('deliveries', now)}
        and not exists (
          select 1 from deliveries as earlier
          where earlier.shop_id = deliveries.shop_id and earlier.shipment_id = deliveries.shipment_id
            and earlier.target = deliveries.target and earlier.id < deliveries.id
            and earlier.finished_at is null and earlier.reserved_due_at is not null
        )
        and not exists (
          select 1 from webhook_endpoints
          where webhook_endpoints.shop_id = deliveries.shop_id and webhook_endpoints.id::text = deliveries.target
            and webhook_endpoints.circuit_opened_at is not null
        )
      order by deliveries.reserved_due_at, deliveries.id
      limit ${sql.lit(limit)}
      for update of deliveries skip locked
    ), fetched as (
      update deliveries set reserved_due_at = ${until}
      from due
      where deliveries.shop_id = due.shop_id and deliveries.id = due.id
      returning deliveries.*
    )
    select ${fetchedColumns}, endpoint.*
    from fetched
    cross join lateral ${bodyOf('fetched')} as notifications
    left join lateral ${endpointOf('fetched')} as endpoint on true`.execute(scope.db)
  return toDeliveries(
    rows,
    rows.map((row) => ({ ...row, id: null })),
  )
}

/** Shops with events that only automations of nodes of this version may evaluate. */
export async function findReservedEvents(context: Context): Promise<{ shopId: string }[]> {
  const { rows } = await sql<{ shopId: string }>`
    select distinct shop_id as "shopId" from deliveries
    where finished_at is null and reserved_due_at <= ${context.now} and target = ${automationsReceiver}`.execute(
    context.db,
  )
  return rows
}

/** Whether deliveries of customs may be sent by every node: no older one was there for an hour. One that comes back is noticed. */
export async function beginSharing(context: Context): Promise<boolean> {
  const known = await findFact(context, customsGroupFact)
  if (await hasNodesBefore(context, firstEdition)) {
    if (known !== undefined) await removeFact(context, customsGroupFact)
    return false
  }
  if (known === 'on') return true
  const isQuiet = known !== undefined && context.now.getTime() - Date.parse(known) >= quietMs
  if (isQuiet) await shareAtOnce(context)
  else if (known === undefined) await putFact(context, customsGroupFact, context.now.toISOString())
  return isQuiet
}

/** Also has all parcels evaluated again: older nodes do not list those that wait at customs. */
export async function shareAtOnce(context: Context): Promise<void> {
  if ((await findFact(context, customsGroupFact)) === 'on') return
  await putFact(context, customsGroupFact, 'on')
  await sql`
    update exception_progress set walk_before = ${context.now}, walk_before_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`.execute(
    context.db,
  )
}

/** Returns what was reserved to the common queue. */
export async function releaseReserved(context: Context): Promise<void> {
  await sql`
    update deliveries set next_attempt_at = reserved_due_at
    where finished_at is null and reserved_due_at is not null`.execute(context.db)
}
