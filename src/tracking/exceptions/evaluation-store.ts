import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { WatchedParcel } from '../../orders/promises/watch.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { parseInstant } from '../../platform/foundation/schema.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import type { Decision, ExceptionState, Learnt, Parcel, Seriousness } from './rules.ts'
import type { ExceptionKind } from './schema.ts'

/** A place among a shop's parcels, which are sorted by their last change. */
export interface Position {
  at: Date
  id: string
}

/** How far the evaluation of a shop has come. */
export interface EvaluationState {
  shopId: string
  /** Changes up to here are evaluated. */
  changed: Position
  /** The walk through earlier changes continues before here; undefined: it is finished. */
  walk: Position | undefined
  learnt: Learnt
  learntAt: Date | null
}

/** The shops after the given one that are not deleted, and whether any of their parcels are to be evaluated. */
export async function listShopsWithWork(
  context: Context,
  afterId: string | undefined,
  limit: number,
): Promise<{ shopId: string; hasWork: boolean }[]> {
  const { rows } = await sql<{ shopId: string; hasWork: boolean }>`
    select shops.id as "shopId", case
      when exists (select 1 from order_promises where shop_id = shops.id and check_at <= ${context.now}) then true
      when progress.shop_id is null then exists (select 1 from shipments where shop_id = shops.id and is_draft = false)
      else progress.walk_before is not null
        or exists (select 1 from exception_checks where shop_id = shops.id and check_at <= ${context.now})
        or exists (${changedAfter(sql`shops.id`, false, sql`progress.changed_until, progress.changed_id`)})
        or exists (${changedAfter(sql`shops.id`, true, sql`progress.changed_until, progress.changed_id`)})
    end as "hasWork"
    from shops
    left join exception_progress as progress on progress.shop_id = shops.id
    where shops.deleted_at is null and shops.paused_at is null and shops.id > ${afterId ?? '00000000-0000-0000-0000-000000000000'}
    order by shops.id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** Nothing, if the shop has been evaluated before. */
export async function openProgress(context: Context, shopId: string, changed: Position, walk: Position): Promise<void> {
  await context.db
    .insertInto('exception_progress')
    .values({
      shop_id: shopId,
      changed_until: changed.at,
      changed_id: changed.id,
      walk_before: walk.at,
      walk_before_id: walk.id,
      learnt_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Undefined while another node works on the shop. */
export async function lockProgress(context: Context, shopId: string): Promise<EvaluationState | undefined> {
  const row = await context.db
    .selectFrom('exception_progress')
    .where('shop_id', '=', shopId)
    .selectAll()
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { walk_before: at, walk_before_id: id } = row
  return {
    shopId,
    changed: { at: row.changed_until, id: row.changed_id },
    walk: at !== null && id !== null ? { at, id } : undefined,
    // Written by storeLearnt only; empty before that.
    learnt: { carriers: [], routes: {}, ...(row.learnt as Partial<Learnt>) },
    learntAt: row.learnt_at,
  }
}

export async function storePosition(context: Context, shopId: string, { at, id }: Position): Promise<void> {
  await context.db
    .updateTable('exception_progress')
    .set({ changed_until: at, changed_id: id })
    .where('shop_id', '=', shopId)
    .execute()
}

export async function storeWalk(context: Context, shopId: string, next: Position | undefined): Promise<void> {
  await context.db
    .updateTable('exception_progress')
    .set({ walk_before: next?.at ?? null, walk_before_id: next?.id ?? null })
    .where('shop_id', '=', shopId)
    .execute()
}

export async function storeLearnt(context: Context, shopId: string, learnt: Learnt): Promise<void> {
  await context.db
    .updateTable('exception_progress')
    .set({ learnt: JSON.stringify(learnt), learnt_at: context.now })
    .where('shop_id', '=', shopId)
    .execute()
}

/** Parcels for which a kind may begin to apply by now. */
export async function listDue(context: Context, shopId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select shipment_id as id from exception_checks
    where shop_id = ${shopId} and check_at <= ${context.now}
    order by check_at
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** Shipments that changed after the position, in that order. One that lost its number has become a draft. */
export async function listChanged(
  context: Context,
  shopId: string,
  { at, id }: Position,
  limit: number,
): Promise<Position[]> {
  const position = sql`${at}::timestamptz, ${id}::uuid`
  const run = (isDraft: boolean) => sql`(
    ${changedAfter(sql`${shopId}`, isDraft, position)} order by updated_at, id limit ${sql.lit(limit)}
  )`
  const { rows } = await sql<Position>`
    select updated_at as at, id from (${run(false)} union all ${run(true)}) as changed
    order by updated_at, id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

function changedAfter(
  shopId: RawBuilder<unknown>,
  isDraft: boolean,
  position: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select updated_at, id from shipments
    where shop_id = ${shopId} and is_draft = ${sql.lit(isDraft)} and (updated_at, id) > (${position})`
}

/** Parcels that changed before the position, newest first. */
export async function listWalked(
  context: Context,
  shopId: string,
  { before: { at, id }, since }: { before: Position; since: Date },
  limit: number,
): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select updated_at as at, id from shipments
    where shop_id = ${shopId} and is_draft = false and (updated_at, id) < (${at}::timestamptz, ${id}::uuid)
      and updated_at > ${since}
    order by updated_at desc, id desc
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** A parcel with the facts that decide about it. */
export interface ParcelRow extends Parcel, Omit<WatchedParcel, keyof Parcel> {
  /** The time of its next evaluation, as stored; null: not before it changes. */
  storedCheckAt: Date | null
}

/** Those of the parcels that still exist. */
export async function findParcels(context: Context, shopId: string, ids: string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<
    Omit<ParcelRow, 'expectedBy' | 'pickupBy'> & { expectedBy: string | null; pickupBy: string | null }
  >`
    select found.*, coalesce((
      select last_polled_at is not null or is_pushed from tracked_parcels
      where tracked_parcels.shop_id = ${shopId} and tracked_parcels.shipment_id = found.id
    ), false) as "isPolled", (
      select check_at from exception_checks
      where exception_checks.shop_id = ${shopId} and exception_checks.shipment_id = found.id
    ) as "storedCheckAt", case when found."expectedBy" is not null then (
      select zip_code from orders where orders.shop_id = ${shopId} and orders.id = found."orderId"
    ) end as "zipCode"
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select id, order_id as "orderId", is_draft as "isDraft", direction, phase, flag,
        current_event_key as "currentEventKey", current_event_at as "currentEventAt",
        latest_event_at as "latestEventAt", expected_delivery ->> 'end' as "expectedBy",
        pickup ->> 'date_to' as "pickupBy", carrier_reference as "carrierReference",
        destination_country as "destinationCountry", origin_country as "originCountry", service,
        placed_at as "placedAt", in_transit_at as "inTransitAt"
      from shipments
      where shipments.shop_id = ${shopId} and shipments.id = wanted.id
      -- Enforces an index lookup for each; for a join, the planner may scan the whole table.
      limit 1
    ) as found
    order by found.id`.execute(context.db)
  return rows.map((row) => ({
    ...row,
    expectedBy: readTime(row.expectedBy),
    pickupBy: readDeadline(row.pickupBy),
  }))
}

/** Carriers write what they like; a time that cannot be read is none. */
export function readTime(text: string | null): Date | undefined {
  return text === null ? undefined : parseInstant(text)
}

/** A deadline without a time is the end of its day. */
export function readDeadline(text: string | null): Date | undefined {
  const instant = readTime(text)
  return instant && text?.length === 10 ? after(instant, dayMs - 1) : instant
}

/** A listed parcel, as the evaluation writes it. */
export interface ListedException extends Seriousness {
  shipmentId: string
  orderId: string
  kind: ExceptionKind
  otherKinds: ExceptionKind[]
  since: Date
  stuckAfterDays: number | null
  usualScanHours: number | null
  carrierReference: string | null
  destinationCountry: string | null
  decision: Decision
}

/** Those of the parcels that are listed, locked until the transaction ends: their decisions cannot change meanwhile. */
export async function lockExceptions(
  context: Context,
  shopId: string,
  ids: string[],
): Promise<Map<string, ListedException>> {
  const { rows } = await sql<Selectable<Tables['exceptions']>>`
    select found.* from (select distinct id from unnest(${ids}::uuid[]) as given (id) order by id) as wanted
    cross join lateral (
      select * from exceptions where shop_id = ${shopId} and shipment_id = wanted.id
      -- Enforces an index lookup for each: before the table is analyzed, the planner may read all of the shop's.
      limit 1
      for update
    ) as found`.execute(context.db)
  return new Map(
    rows.map((row) => [
      row.shipment_id,
      // In the order of the fields that `toRow` writes, so that both can be compared. Kinds and states: only these are stored.
      {
        shipmentId: row.shipment_id,
        orderId: row.order_id,
        kind: row.kind as ExceptionKind,
        severity: row.severity,
        causedAt: row.caused_at,
        otherKinds: row.other_kinds as ExceptionKind[],
        since: row.since,
        stuckAfterDays: row.stuck_after_days,
        usualScanHours: row.usual_scan_hours,
        carrierReference: row.carrier_reference,
        destinationCountry: row.destination_country,
        decision: {
          state: row.state as ExceptionState,
          assignedTo: row.assigned_to,
          snoozedUntil: row.snoozed_until,
          resolvedAt: row.resolved_at,
          resolvedBy: row.resolved_by,
          dismissedSeverity: row.dismissed_severity,
          dismissedCausedAt: row.dismissed_caused_at,
        },
      },
    ]),
  )
}

/** Writes listed parcels. Those whose shipment was deleted meanwhile are skipped. */
export async function upsertExceptions(context: Context, shopId: string, rows: ListedException[]): Promise<void> {
  if (rows.length === 0) return
  const given = rows.map(({ decision, ...row }) => ({ ...row, ...decision }))
  await sql`
    insert into exceptions (shop_id, shipment_id, order_id, kind, severity, other_kinds, since, caused_at,
      stuck_after_days, usual_scan_hours, carrier_reference, destination_country, state, assigned_to, snoozed_until,
      resolved_at, resolved_by, dismissed_severity, dismissed_caused_at, created_at, updated_at)
    select ${shopId}, "shipmentId", "orderId", kind, severity,
      array(select json_array_elements_text("otherKinds")), since, "causedAt", "stuckAfterDays", "usualScanHours",
      "carrierReference", "destinationCountry", state, "assignedTo", "snoozedUntil", "resolvedAt", "resolvedBy",
      "dismissedSeverity", "dismissedCausedAt", ${context.now}, ${context.now}
    from json_to_recordset(${JSON.stringify(given)}::json) as given
      ("shipmentId" uuid, "orderId" uuid, kind text, severity smallint, "otherKinds" json, since timestamptz,
       "causedAt" timestamptz, "stuckAfterDays" smallint, "usualScanHours" smallint, "carrierReference" text,
       "destinationCountry" text, state text, "assignedTo" text, "snoozedUntil" timestamptz, "resolvedAt" timestamptz,
       "resolvedBy" text, "dismissedSeverity" smallint, "dismissedCausedAt" timestamptz)
    where exists (
      select 1 from shipments where shipments.shop_id = ${shopId} and shipments.id = given."shipmentId"
    )
    order by "shipmentId"
    on conflict (shop_id, shipment_id) do update set
      order_id = excluded.order_id, kind = excluded.kind, severity = excluded.severity,
      other_kinds = excluded.other_kinds, since = excluded.since, caused_at = excluded.caused_at,
      stuck_after_days = excluded.stuck_after_days, usual_scan_hours = excluded.usual_scan_hours,
      carrier_reference = excluded.carrier_reference, destination_country = excluded.destination_country,
      state = excluded.state, assigned_to = excluded.assigned_to, snoozed_until = excluded.snoozed_until,
      resolved_at = excluded.resolved_at, resolved_by = excluded.resolved_by,
      dismissed_severity = excluded.dismissed_severity, dismissed_caused_at = excluded.dismissed_caused_at,
      updated_at = excluded.updated_at`.execute(context.db)
}

export async function deleteExceptions(context: Context, shopId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from exceptions where shop_id = ${shopId} and shipment_id = any(${ids}::uuid[])`.execute(context.db)
}

export async function putChecks(
  context: Context,
  shopId: string,
  checks: { shipmentId: string; checkAt: Date }[],
): Promise<void> {
  if (checks.length === 0) return
  await sql`
    insert into exception_checks (shop_id, shipment_id, check_at)
    select ${shopId}, "shipmentId", "checkAt"
    from json_to_recordset(${JSON.stringify(checks)}::json) as given ("shipmentId" uuid, "checkAt" timestamptz)
    order by "shipmentId"
    on conflict (shop_id, shipment_id) do update set check_at = excluded.check_at`.execute(context.db)
}

export async function deleteChecks(context: Context, shopId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from exception_checks where shop_id = ${shopId} and shipment_id = any(${ids}::uuid[])`.execute(context.db)
}
