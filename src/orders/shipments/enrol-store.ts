import { type RawBuilder, sql } from 'kysely'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { pollingPeriodMs } from './schema.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** These parcels are to be polled; without any, there is other work about parcels. */
    parcels: [parcels?: EnrolledParcel[]]
  }
}

/** A parcel that is polled from now on. */
export interface EnrolledParcel {
  shopId: string
  carrierReference: string
}

/**
 * A CTE of the statement that fulfils shipments: enrols them for polling if their shop wants updates and their carrier
 * is known. `fulfilled` names a CTE with shop_id, id, carrier_reference, tracking_number, placed_at and now.
 */
export function enrolledCte(fulfilled: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`enrolled as (
    insert into tracked_parcels (shop_id, shipment_id, carrier_reference, tracking_number, fulfilled_at, next_poll_at)
    select shop_id, id, carrier_reference, tracking_number, placed_at, now
    from ${fulfilled}
    join shop_settings using (shop_id)
    where shop_settings.shipment_updates and carrier_reference is not null and tracking_number is not null
    on conflict do nothing
    returning shop_id, shipment_id, carrier_reference
  )`
}

/** The worker polls at once, because a parcel may have been scanned before it was reported to us. */
export function wakeParcelWorkers(context: Context, parcels: EnrolledParcel[]): void {
  if (parcels.length === 0) return
  wakeOnceCommitted(context, 'parcels', parcels)
}

/** Starts polling again for a parcel whose carrier or number has changed, and for the first time if it had no carrier. */
export async function restartPolling(
  context: Context,
  shopId: string,
  shipmentIds: string[],
  now: Date,
): Promise<void> {
  const { rows } = await sql<EnrolledParcel>`
    insert into tracked_parcels (shop_id, shipment_id, carrier_reference, tracking_number, fulfilled_at, next_poll_at)
    select shop_id, id, carrier_reference, tracking_number, placed_at, ${now}::timestamptz
    from shipments
    join shop_settings using (shop_id)
    where shop_id = ${shopId} and id = any(${shipmentIds}::uuid[]) and shop_settings.shipment_updates
      and carrier_reference is not null and tracking_number is not null
    order by id
    on conflict (shop_id, shipment_id) do update set
      carrier_reference = excluded.carrier_reference, tracking_number = excluded.tracking_number, next_poll_at = excluded.next_poll_at, failures = 0,
      polls = tracked_parcels.polls + 1, registered_with = null, registered_at = null, is_pushed = false,
      ended_at = null, finished_at = null
      where (tracked_parcels.carrier_reference, tracked_parcels.tracking_number)
        <> (excluded.carrier_reference, excluded.tracking_number)
    returning shop_id as "shopId", carrier_reference as "carrierReference"`.execute(context.db)
  wakeParcelWorkers(context, rows)
}

/** Stops polling for a parcel whose carrier is no longer known. */
export async function stopPolling(context: Context, shopId: string, shipmentId: string): Promise<void> {
  await context.db
    .deleteFrom('tracked_parcels')
    .where('shop_id', '=', shopId)
    .where('shipment_id', '=', shipmentId)
    .execute()
}

const nilUuid = '00000000-0000-0000-0000-000000000000'
/** A shipment that is fulfilled while updates are being switched on may be committed after the walk has passed it. */
const lateCommitMs = minuteMs

/** Requests that the shop's parcels in transit are enrolled in the background. */
export async function requestEnrolment(context: Context, shopId: string, now: Date): Promise<void> {
  const walk = {
    requested_at: now,
    due_at: now,
    walked_until: after(now, -pollingPeriodMs),
    walked_id: nilUuid,
    is_last_walk: false,
  }
  await context.db
    .insertInto('parcel_enrolments')
    .values({ shop_id: shopId, ...walk })
    .onConflict((conflict) => conflict.column('shop_id').doUpdateSet(walk))
    .execute()
  wakeOnceCommitted(context, 'parcels')
}

/**
 * Enrols the next shipments of a shop that requested it; false if none did. The position of the walk is stored in the
 * caller's transaction, so that a crash loses nothing.
 */
export async function enrolNextBatch(context: Context, now: Date, batchSize: number): Promise<boolean> {
  const walk = await context.db
    .selectFrom('parcel_enrolments')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .selectAll()
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (walk === undefined) return false
  const walked = await enrolBatch(context, walk, now, batchSize)
  await storePosition(context, walk, walked.length === batchSize ? walked.at(-1) : undefined)
  return true
}

interface Walk {
  shop_id: string
  requested_at: Date
  walked_until: Date
  walked_id: string
  is_last_walk: boolean
}

interface Walked {
  id: string
  updated_at: Date
}

/**
 * Enrols the next shipments of a walk and returns all that it passed. The walk goes by last change, oldest first, so
 * that a shipment that changes meanwhile is visited again rather than missed.
 */
export async function enrolBatch(context: Context, walk: Walk, now: Date, batchSize: number): Promise<Walked[]> {
  const { rows } = await sql<Walked>`
    with walked as materialized (
      select shop_id, id, carrier_reference, tracking_number, placed_at, phase, updated_at
      from shipments
      where shop_id = ${walk.shop_id} and is_draft = false
        and (updated_at, id) > (${walk.walked_until}::timestamptz, ${walk.walked_id}::uuid)
      order by updated_at, id
      limit ${sql.lit(batchSize)}
    ), enrolled as (
      insert into tracked_parcels (shop_id, shipment_id, carrier_reference, tracking_number, fulfilled_at, next_poll_at)
      select shop_id, id, carrier_reference, tracking_number, placed_at, ${now}::timestamptz
      from walked
      join shop_settings using (shop_id)
      where shop_settings.shipment_updates and carrier_reference is not null
        and placed_at > ${after(now, -pollingPeriodMs)}::timestamptz
        and phase not in ('delivered', 'returned', 'return_received', 'order_cancelled')
      on conflict do nothing
    )
    select id, updated_at from walked order by updated_at, id`.execute(context.db)
  return rows
}

/** Stores the position of the walk. At its end, the walk is repeated once over the last minute, and then deleted. */
async function storePosition(context: Context, walk: Walk, last: Walked | undefined): Promise<void> {
  if (last === undefined && walk.is_last_walk) {
    await context.db.deleteFrom('parcel_enrolments').where('shop_id', '=', walk.shop_id).execute()
    return
  }
  await context.db
    .updateTable('parcel_enrolments')
    .set(
      last
        ? { walked_until: last.updated_at, walked_id: last.id }
        : {
            due_at: after(walk.requested_at, lateCommitMs),
            walked_until: after(walk.requested_at, -lateCommitMs),
            walked_id: nilUuid,
            is_last_walk: true,
          },
    )
    .where('shop_id', '=', walk.shop_id)
    .execute()
}

/** Stops polling for parcels that were sent before the given time; returns how many there were. */
export async function finishOldParcels(context: Context, before: Date, now: Date, batchSize: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update tracked_parcels set finished_at = ${now}
    where (shop_id, shipment_id) in (
      select shop_id, shipment_id from tracked_parcels
      where finished_at is null and fulfilled_at < ${before}
      limit ${sql.lit(batchSize)}
      for update skip locked
    )`.execute(context.db)
  return Number(numAffectedRows ?? 0)
}
