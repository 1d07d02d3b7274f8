import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../delivery/receivers/conditions.ts'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'

/** The rule that selects the shipments a trigger fires for. */
export interface TriggerRule {
  shopId: string
  id: string
  phaseIn: string[]
  phaseNotIn: string[]
  eventKeyIn: string[]
  eventKeyNotIn: string[]
  operator: 'AND' | 'OR'
  timeThresholdType: 'latest_event_time' | 'created_at'
  thresholdMs: number
  direction: string
}

/** A trigger to evaluate. */
export interface DueTrigger extends TriggerRule {
  integration: string
  name: string
  createdAt: Date
  evaluatedUntil: Date
  /** Position of the walk back through the shipments that existed before it; null if finished or not requested. */
  existingBefore: Date | null
  existingBeforeId: string | null
}

/** The triggers of enabled integrations, sorted by shop and id, after the given one. */
export async function listTriggers(
  context: Context,
  afterTrigger: DueTrigger | undefined,
  limit: number,
): Promise<DueTrigger[]> {
  const { rows } = await sql<DueTrigger>`
    select internal_triggers.shop_id as "shopId", internal_triggers.id, integration, internal_triggers.name,
      phase_in as "phaseIn", phase_not_in as "phaseNotIn", event_key_in as "eventKeyIn",
      event_key_not_in as "eventKeyNotIn", operator, time_threshold_type as "timeThresholdType",
      time_threshold_value * 3600000.0 as "thresholdMs", shipment_direction as direction,
      internal_triggers.created_at as "createdAt",
      coalesce(evaluated_until, internal_triggers.created_at) as "evaluatedUntil",
      existing_before as "existingBefore", existing_before_id as "existingBeforeId"
    from internal_triggers
    join trigger_settings using (shop_id, integration)
    join shops on shops.id = internal_triggers.shop_id
    where trigger_settings.status and shops.deleted_at is null and shops.paused_at is null
      and (internal_triggers.shop_id, internal_triggers.id) >
        (${afterTrigger?.shopId ?? '00000000-0000-0000-0000-000000000000'}, ${afterTrigger?.id ?? '00000000-0000-0000-0000-000000000000'})
    order by internal_triggers.shop_id, internal_triggers.id
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

export interface FiringShipment {
  shipmentId: string
  orderId: string
  direction: string
  eventName: string
}

/**
 * A change may be committed shortly after an evaluation although its time is earlier. Changes of this period are
 * checked again, which is safe because each trigger fires once per shipment.
 */
const overlapMs = 2 * minuteMs

/**
 * The shipments for which a trigger fires now and has not fired yet. Candidates are those that crossed its threshold
 * since the last evaluation, and those that changed since. Both are found by index, however long the shop's history is.
 */
export function findFiring(context: Context, trigger: DueTrigger, limit: number): Promise<FiringShipment[]> {
  return selectFiring(context, trigger, recentCandidates(context, trigger), limit)
}

async function selectFiring(
  context: Context,
  trigger: DueTrigger,
  candidates: RawBuilder<unknown>,
  limit: number,
): Promise<FiringShipment[]> {
  const { rows } = await sql<FiringShipment>`
    select shipments.id as "shipmentId", shipments.order_id as "orderId", shipments.direction,
      shipments.current_event_key as "eventName"
    from (${candidates}) as candidate
    join shipments on shipments.shop_id = ${trigger.shopId} and shipments.id = candidate.id
    where ${firesNow(context, trigger)}
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** The rule: whether a trigger fires for a row of `shipments` at this moment. */
export function firesNow(context: Context, trigger: TriggerRule): RawBuilder<boolean> {
  return sql`shipments.direction = ${trigger.direction}
    and ${thresholdColumn(trigger)} <= ${after(context.now, -trigger.thresholdMs)}
    and (cardinality(${trigger.phaseIn}::text[]) = 0 or shipments.phase = any(${trigger.phaseIn}::text[]))
    and shipments.phase <> all(${trigger.phaseNotIn}::text[])
    -- What passed the threshold before the shipment was taken over is in the past.
    and (shipments.quiet_until is null
      or ${sinceColumn(trigger)} > shipments.quiet_until - make_interval(secs => ${trigger.thresholdMs / 1_000}::float8))
    and ${matchesEvents(trigger)}
    and not ${isDraftWithoutParcel}
    and not exists (
      select 1 from internal_trigger_firings as fired
      where fired.shop_id = shipments.shop_id and fired.trigger_id = ${trigger.id} and fired.shipment_id = shipments.id
    )`
}

/** A draft that gets no parcel: its order has nothing to send, or was handed over without a tracking number. */
const isDraftWithoutParcel = sql`(
  shipments.is_draft and shipments.direction in ('merchant_customer', 'partner_customer') and exists (
    select 1 from orders
    where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
      and (orders.nothing_to_send or orders.handed_over_without_tracking)
  )
)`

export function thresholdColumn(trigger: TriggerRule): RawBuilder<unknown> {
  return trigger.timeThresholdType === 'latest_event_time' ? sql`shipments.latest_event_at` : sql`shipments.created_at`
}

/** The real start of the threshold's time: a shipment that was taken over was sent before it was stored. */
function sinceColumn(trigger: TriggerRule): RawBuilder<unknown> {
  return trigger.timeThresholdType === 'latest_event_time' ? sql`shipments.latest_event_at` : sql`shipments.placed_at`
}

function recentCandidates(context: Context, trigger: DueTrigger): RawBuilder<unknown> {
  const overlapping = after(trigger.evaluatedUntil, -overlapMs)
  const changedAfter = overlapping < trigger.createdAt ? trigger.createdAt : overlapping
  const changed = (isDraft: boolean) => sql`
    select id from shipments
    where shop_id = ${trigger.shopId} and is_draft = ${sql.lit(isDraft)} and updated_at > ${changedAfter}`
  const crossed = crossedBetween(trigger, trigger.evaluatedUntil, context.now)
  return sql`${crossed} union ${changed(false)} union ${changed(true)}`
}

/** The shipments whose time passed the trigger's threshold in a period. */
export function crossedBetween(trigger: TriggerRule, start: Date, end: Date): RawBuilder<unknown> {
  const crossedAfter = after(start, -trigger.thresholdMs)
  const crossedBy = after(end, -trigger.thresholdMs)
  if (trigger.timeThresholdType === 'latest_event_time') {
    return sql`
      select id from shipments
      where shop_id = ${trigger.shopId} and latest_event_at > ${crossedAfter} and latest_event_at <= ${crossedBy}`
  }
  const crossedSinceCreation = (isDraft: boolean) => sql`
    select id from shipments
    where shop_id = ${trigger.shopId} and is_draft = ${sql.lit(isDraft)}
      and created_at > ${crossedAfter} and created_at <= ${crossedBy}`
  return sql`${crossedSinceCreation(false)} union ${crossedSinceCreation(true)}`
}

/** A step of the walk back through the shipments that existed before the trigger. */
export interface ExistingStep {
  firing: FiringShipment[]
  /** Start of the next step; undefined after the last one. */
  next: { before: Date; beforeId: string } | undefined
}

/** A shipment in one of these phases no longer changes. */
export const finishedPhases = ['delivered', 'order_cancelled', 'return_received', 'returned']

/** Reads a fixed number of shipments, newest event first, so that a step costs the same for every shop. */
export async function findExistingFiring(context: Context, trigger: DueTrigger, limit: number): Promise<ExistingStep> {
  const { rows: walked } = await sql<{ id: string; at: Date; isFinished: boolean }>`
    select id, latest_event_at as at, phase = any(${finishedPhases}::text[]) as "isFinished" from shipments
    where shop_id = ${trigger.shopId}
      and (latest_event_at, id) < (${trigger.existingBefore}::timestamptz, ${trigger.existingBeforeId}::uuid)
    order by latest_event_at desc, id desc
    limit ${sql.lit(limit)}`.execute(context.db)
  const open = walked.filter(({ isFinished }) => !isFinished).map(({ id }) => id)
  const firing = await selectFiring(context, trigger, sql`select unnest(${open}::uuid[]) as id`, limit)
  const last = walked.length < limit ? undefined : walked.at(-1)
  return { firing, next: last && { before: last.at, beforeId: last.id } }
}

export async function storeWalkPosition(
  context: Context,
  trigger: DueTrigger,
  next: ExistingStep['next'],
): Promise<void> {
  await context.db
    .updateTable('internal_triggers')
    .set({ existing_before: next?.before ?? null, existing_before_id: next?.beforeId ?? null })
    .where('shop_id', '=', trigger.shopId)
    .where('id', '=', trigger.id)
    .execute()
}

/** AND: has all wanted events and no unwanted one. OR: has a wanted event and lacks an unwanted one. */
function matchesEvents(trigger: TriggerRule): RawBuilder<unknown> {
  const has = (keys: string[]) => sql`(
    select count(distinct event_key) from shipment_events
    where shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
      and event_key = any(${keys}::text[])
  )`
  const wanted = new Set(trigger.eventKeyIn).size
  const unwanted = new Set(trigger.eventKeyNotIn).size
  const isAll = trigger.operator === 'AND'
  return sql`
    (${wanted}::int = 0 or ${has(trigger.eventKeyIn)} >= ${isAll ? wanted : 1}::int)
    and (${unwanted}::int = 0 or ${has(trigger.eventKeyNotIn)} <= ${isAll ? 0 : unwanted - 1}::int)`
}

/** Records that a trigger fires for these shipments; returns those for which it had not fired before. */
export async function recordFirings(
  context: Context,
  trigger: DueTrigger,
  shipmentIds: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ shipment_id: string }>`
    insert into internal_trigger_firings (shop_id, trigger_id, shipment_id, fired_at)
    select ${trigger.shopId}, ${trigger.id}, shipment_id, ${context.now} from unnest(${shipmentIds}::uuid[]) as shipment_id
    on conflict do nothing
    returning shipment_id`.execute(context.db)
  return new Set(rows.map((row) => row.shipment_id))
}

export async function markEvaluated(context: Context, trigger: DueTrigger, until: Date): Promise<void> {
  await context.db
    .updateTable('internal_triggers')
    .set({ evaluated_until: until })
    .where('shop_id', '=', trigger.shopId)
    .where('id', '=', trigger.id)
    .execute()
}

export interface ActiveEndpoint {
  id: string
  enabledEvents: string[]
  conditions: Condition[] | null
}

/** The active webhook endpoints of a shop, with their filters. */
export async function listActiveEndpoints(context: Context, shopId: string): Promise<ActiveEndpoint[]> {
  const rows = await context.db
    .selectFrom('webhook_endpoints')
    .where('shop_id', '=', shopId)
    .where('status', '=', 'active')
    .select(['id', 'enabled_events as enabledEvents', 'conditions'])
    .execute()
  // Only checked conditions are stored.
  return rows.map((row) => ({ ...row, conditions: row.conditions as Condition[] | null }))
}
