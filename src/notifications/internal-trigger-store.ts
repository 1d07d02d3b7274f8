import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../foundation/operation.ts'

/** A trigger of a shop that is to be looked at. */
export interface DueTrigger {
  shopId: string
  id: string
  integration: string
  name: string
  phaseIn: string[]
  phaseNotIn: string[]
  eventKeyIn: string[]
  eventKeyNotIn: string[]
  operator: 'AND' | 'OR'
  timeThresholdType: 'latest_event_time' | 'created_at'
  thresholdMs: number
  direction: string
  evaluatedUntil: Date
}

/** The triggers of integrations that are switched on, in the order of their ids, after the given one. */
export async function listTriggers(
  context: Context,
  after: DueTrigger | undefined,
  limit: number,
): Promise<DueTrigger[]> {
  const { rows } = await sql<DueTrigger>`
    select internal_triggers.shop_id as "shopId", internal_triggers.id, integration, internal_triggers.name,
      phase_in as "phaseIn", phase_not_in as "phaseNotIn", event_key_in as "eventKeyIn",
      event_key_not_in as "eventKeyNotIn", operator, time_threshold_type as "timeThresholdType",
      time_threshold_value * 3600000.0 as "thresholdMs", shipment_direction as direction,
      coalesce(evaluated_until, internal_triggers.created_at) as "evaluatedUntil"
    from internal_triggers
    join trigger_settings using (shop_id, integration)
    join shops on shops.id = internal_triggers.shop_id
    where trigger_settings.status and shops.deleted_at is null
      and (internal_triggers.shop_id, internal_triggers.id) >
        (${after?.shopId ?? '00000000-0000-0000-0000-000000000000'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
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
 * The shipments for which a trigger fires now and has not fired yet. Looked at are those that have crossed its threshold
 * since the last look, and, where it counts from creation, those that have changed since: both by index, whatever the
 * shop's history is.
 */
export async function findFiring(context: Context, trigger: DueTrigger, limit: number): Promise<FiringShipment[]> {
  const crossedAfter = new Date(trigger.evaluatedUntil.getTime() - trigger.thresholdMs)
  const crossedBy = new Date(context.now.getTime() - trigger.thresholdMs)
  const { rows } = await sql<FiringShipment>`
    select shipments.id as "shipmentId", shipments.order_id as "orderId", shipments.direction,
      shipments.current_event_key as "eventName"
    from (${candidates(trigger, crossedAfter, crossedBy)}) as candidate
    join shipments on shipments.shop_id = ${trigger.shopId} and shipments.id = candidate.id
    where shipments.direction = ${trigger.direction}
      and (cardinality(${trigger.phaseIn}::text[]) = 0 or shipments.phase = any(${trigger.phaseIn}::text[]))
      and shipments.phase <> all(${trigger.phaseNotIn}::text[])
      and ${holdsEvents(trigger)}
      and not ${waitsForNothing}
      and not exists (
        select 1 from internal_trigger_firings as fired
        where fired.shop_id = shipments.shop_id and fired.trigger_id = ${trigger.id} and fired.shipment_id = shipments.id
      )
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** A draft from which no parcel will come: of an order that has nothing to send, or was handed over without a number. */
const waitsForNothing = sql`(
  shipments.is_draft and shipments.direction in ('merchant_customer', 'partner_customer') and exists (
    select 1 from orders
    where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id
      and (orders.nothing_to_send or orders.handed_over_without_tracking)
  )
)`

function candidates(trigger: DueTrigger, crossedAfter: Date, crossedBy: Date): RawBuilder<unknown> {
  if (trigger.timeThresholdType === 'latest_event_time') {
    return sql`
      select id from shipments
      where shop_id = ${trigger.shopId} and current_event_at > ${crossedAfter} and current_event_at <= ${crossedBy}`
  }
  const run = (isDraft: boolean) => sql`
    select id from shipments
    where shop_id = ${trigger.shopId} and is_draft = ${sql.lit(isDraft)}
      and created_at > ${crossedAfter} and created_at <= ${crossedBy}
    union
    select id from shipments
    where shop_id = ${trigger.shopId} and is_draft = ${sql.lit(isDraft)}
      and updated_at > ${trigger.evaluatedUntil} and created_at <= ${crossedBy}`
  return sql`${run(false)} union ${run(true)}`
}

/** AND: all of the wanted events and none of the unwanted; OR: one of the wanted, and one of the unwanted missing. */
function holdsEvents(trigger: DueTrigger): RawBuilder<unknown> {
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

/** Notes that a trigger fires for these shipments; answers those that are first, of two nodes as well. */
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

/** The active webhook endpoints of a shop: who is told where the trigger is the webhook's. */
export async function activeEndpoints(context: Context, shopId: string): Promise<string[]> {
  const rows = await context.db
    .selectFrom('webhook_endpoints')
    .where('shop_id', '=', shopId)
    .where('status', '=', 'active')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
