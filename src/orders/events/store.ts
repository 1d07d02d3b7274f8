import { sql } from 'kysely'
import { finalPhases, labelPhases } from '../../platform/catalogue/catalogue.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { literals } from '../../platform/store/literals.ts'
import type { Pickup } from '../shipments/schema.ts'

/** An event of ours about a shipment that the same transaction writes, such as ORDER_CREATED. */
export interface SystemEvent {
  shopId: string
  shipmentId: string
  orderId: string
  direction: string
  eventKey: string
  eventTime: Date
  now: Date
}

/** Records events of ours and skips those that are already recorded. */
export async function insertSystemEvents(context: Context, events: SystemEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    shop_id: event.shopId,
    shipment_id: event.shipmentId,
    event_time: event.eventTime,
    event_key: event.eventKey,
    id: newId(event.now),
    recorded_at: event.now,
  }))
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
    select shop_id, shipment_id, event_time, event_key, id, 'system', ${!context.isSilent}::boolean, recorded_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, shipment_id uuid, event_time timestamptz, event_key text, id uuid, recorded_at timestamptz)
    on conflict do nothing`.execute(context.db)
}

/**
 * The rank of an event when the shipment's current event is chosen: null if it does not move the phase, lowest for an
 * order or a label, then a cancellation, highest for a scan.
 */
function weightOf({ phase, movesPhase }: Pick<IncomingEvent, 'phase' | 'movesPhase'>): number | null {
  if (!movesPhase) return null
  if ((labelPhases as readonly string[]).includes(phase)) return weights.label
  return phase === 'order_cancelled' ? weights.cancellation : weights.scan
}

const weights = { label: 0, cancellation: 1, scan: 2 }

/**
 * At the time of the current event, a new one counts as the later one, unless the current one ends the journey or the new
 * one has its place before it.
 */
const becomesCurrent = sql`(
  ranked.overrides_label or ranked.moved_at > shipments.current_event_at or ranked.moved_at = shipments.current_event_at
    and (ranked.candidates[ranked.chosen][1] in ${literals(finalPhases)} or shipments.phase not in ${literals(finalPhases)})
    and (ranked.candidates[ranked.chosen][4] is null or coalesce(ranked.candidates[ranked.chosen][4]::uuid > (
      select id from shipment_events
      where shipment_events.shop_id = shipments.shop_id and shipment_events.shipment_id = shipments.id
        and shipment_events.event_time = shipments.current_event_at
        and shipment_events.event_key = shipments.current_event_key
    ), true))
)`

/** Carriers report all scans of a parcel; those from before we took it over need no notification. */
const isQuiet = sql`coalesce(given.source = 'carrier' and given.event_time <= locked.quiet_until, false)`

/** An event to record, for a shipment named by its id or its tracking number. */
export interface IncomingEvent {
  shopId: string
  shipmentId: string | null
  trackingNumber: string | null
  eventKey: string
  phase: string
  flag: string
  movesPhase: boolean
  isAllowedForDrafts: boolean
  eventTime: Date
  externalId: string | null
  timezone: string | null
  location: unknown
  additionalInfo: unknown
  source: string
  isNotified: boolean
  /** Sent by the carrier with the scan: when the parcel will arrive, and where it can be picked up. */
  expectedDelivery?: { start: string; end: string }
  pickup?: Pickup
  /** Of an event that does not come last among those of its time: an id sorts it between them. */
  id?: string
  now: Date
}

export type EventOutcome =
  | {
      result: 'recorded'
      shipmentId: string
      orderId: string
      direction: string
      expectedDelivery: unknown
      pickup: unknown
      /**
       * After the first scan, labels no longer count. A cancellation that a label had replaced may be newer than the
       * scan. Then it counts again, and the shipment has to be recomputed from all its events.
       */
      followsCancellation: boolean
      /** A scan from before the shipment was taken over: it is not announced. */
      isQuiet: boolean
    }
  | { result: 'duplicate' | 'not allowed for drafts' | 'no shipment' }

/**
 * Records a set of events in one statement.
 *
 *   given      the events
 *   matched    the shipment that each one names
 *   locked     those shipments, locked in the same order by all writers
 *   allowed    the events without duplicates in the set and without those that a draft cannot have
 *   inserted   those that were not recorded before
 *   combined   per shipment: the values of its new events, aggregated
 *   ranked     per shipment: which new event is the candidate for its current event
 *   updated    the shipments, updated; `currentEventOf` in rules.ts states the same rule
 */
export async function recordEvents(context: Context, events: IncomingEvent[]): Promise<EventOutcome[]> {
  const rows = events.map((event, index) => ({
    n: index,
    shop_id: event.shopId,
    shipment_id: event.shipmentId,
    tracking_number: event.trackingNumber,
    event_key: event.eventKey,
    phase: event.phase,
    flag: event.flag,
    moves_phase: event.movesPhase,
    weight: weightOf(event),
    allowed_for_drafts: event.isAllowedForDrafts,
    event_time: event.eventTime,
    id: event.id ?? newId(event.now),
    has_place: event.id !== undefined,
    timezone: event.timezone,
    location: event.location,
    additional_info: event.additionalInfo,
    external_id: event.externalId,
    source: event.source,
    is_notified: event.isNotified && !context.isSilent,
    expected_delivery: event.expectedDelivery
      ? { ...event.expectedDelivery, source: 'carrier', updated_at: event.now }
      : null,
    pickup: event.pickup ?? null,
    now: event.now,
  }))
  const { rows: results } = await sql<{
    n: number
    shipment_id: string | null
    order_id: string
    direction: string
    expected_delivery: unknown
    pickup: unknown
    is_recorded: boolean
    is_quiet: boolean | null
    follows_cancellation: boolean | null
    is_rejected: boolean | null
  }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (n int, shop_id uuid, shipment_id uuid, tracking_number text, event_key text, phase text, flag text,
         moves_phase boolean, weight int, allowed_for_drafts boolean, event_time timestamptz, id uuid, has_place boolean, timezone text,
         location jsonb, additional_info jsonb, external_id text, source text, is_notified boolean, expected_delivery jsonb, pickup jsonb,
         now timestamptz)
    ), matched as materialized (
      -- Several orders may have the same tracking number; the newest shipment is chosen.
      select given.n, given.shop_id, coalesce(given.shipment_id, newest.id) as id
      from given
      left join lateral (
        select shipments.id from shipments
        where shipments.shop_id = given.shop_id and shipments.tracking_number = given.tracking_number
        order by shipments.created_at desc, shipments.id desc
        limit 1
      ) as newest on given.shipment_id is null
    ), locked as materialized (
      -- The limit enforces an index lookup for each; for a join, the planner may scan the whole table.
      select found.*
      from (select distinct shop_id, id from matched where id is not null order by shop_id, id) as wanted
      cross join lateral (
        select shop_id, id, order_id, direction, is_draft, expected_delivery, pickup, is_scanned, is_cancelled, quiet_until,
          phase in ${literals(labelPhases)} as is_labelled
        from shipments
        where shipments.shop_id = wanted.shop_id and shipments.id = wanted.id
        limit 1
        for no key update
      ) as found
    ), allowed as materialized (
      select distinct on (locked.shop_id, locked.id, given.event_time, given.event_key)
        locked.id as target_id, locked.is_scanned, locked.is_labelled, ${isQuiet} as is_quiet, given.*
      from given
      join matched using (n)
      join locked on locked.shop_id = matched.shop_id and locked.id = matched.id
      where not locked.is_draft or given.allowed_for_drafts
      order by locked.shop_id, locked.id, given.event_time, given.event_key, given.n
    ), inserted as (
      insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, timezone, location, additional_info,
        external_id, source, is_notified, recorded_at)
      select shop_id, target_id, event_time, event_key, id, timezone, location, additional_info,
        external_id, source, is_notified and not is_quiet, now
      from allowed
      order by n
      on conflict do nothing
      returning shop_id, shipment_id, id
    ), combined as (
      select allowed.shop_id, allowed.target_id as id,
        max(allowed.now) as now,
        max(allowed.event_time) as latest_at,
        allowed.is_scanned,
        coalesce(bool_or(allowed.weight = ${sql.lit(weights.scan)}), false) as has_scan,
        allowed.is_labelled,
        coalesce(bool_or(allowed.weight = ${sql.lit(weights.cancellation)}), false) as has_cancellation,
        -- Phase, flag, key and place of each, labels last. A join with the latest event would compare all events with all.
        array_agg(array[allowed.phase, allowed.flag, allowed.event_key,
            case when allowed.has_place then allowed.id::text end]
          order by allowed.weight = 0, allowed.event_time desc, allowed.phase in ${literals(finalPhases)} desc, allowed.n desc)
          filter (where allowed.weight >= 0) as candidates,
        max(allowed.event_time) filter (where allowed.weight = 0) as labelled_at,
        max(allowed.event_time) filter (where allowed.weight > 0) as reported_at,
        count(*) filter (where allowed.weight > 0) as reports,
        min(allowed.event_time) filter (where allowed.phase = 'in_transit' and allowed.moves_phase) as in_transit_at,
        min(allowed.event_time) filter (where allowed.phase = 'delivered') as delivered_at,
        (array_agg(allowed.location ->> 'country_code' order by allowed.event_time)
          filter (where allowed.location ? 'country_code'))[1] as origin_country,
        (array_agg(allowed.expected_delivery order by allowed.event_time desc, allowed.n desc)
          filter (where allowed.expected_delivery is not null))[1] as expected_delivery,
        (array_agg(allowed.pickup order by allowed.event_time desc, allowed.n desc)
          filter (where allowed.pickup is not null))[1] as pickup
      from allowed
      where allowed.id = any(array(select inserted.id from inserted))
      group by allowed.shop_id, allowed.target_id, allowed.is_scanned, allowed.is_labelled
    ), ranked as (
      select combined.*,
        combined.has_scan and combined.is_labelled as overrides_label,
        case
          when combined.has_scan or combined.is_scanned or combined.labelled_at is null
            or combined.reported_at >= combined.labelled_at then 1
          else combined.reports + 1
        end as chosen,
        case
          when combined.has_scan or combined.is_scanned then combined.reported_at
          else greatest(combined.reported_at, combined.labelled_at)
        end as moved_at
      from combined
    ), updated as (
      update shipments set
        updated_at = greatest(shipments.updated_at, ranked.now),
        latest_event_at = greatest(shipments.latest_event_at, ranked.latest_at),
        is_scanned = shipments.is_scanned or ranked.has_scan,
        is_cancelled = shipments.is_cancelled or ranked.has_cancellation,
        phase = case when ${becomesCurrent} then ranked.candidates[ranked.chosen][1] else shipments.phase end,
        flag = case when ${becomesCurrent} then ranked.candidates[ranked.chosen][2] else shipments.flag end,
        current_event_key = case when ${becomesCurrent} then ranked.candidates[ranked.chosen][3]
          else shipments.current_event_key end,
        current_event_at = case when ${becomesCurrent} then ranked.moved_at else shipments.current_event_at end,
        in_transit_at = least(shipments.in_transit_at, ranked.in_transit_at),
        delivered_at = least(shipments.delivered_at, ranked.delivered_at),
        origin_country = coalesce(shipments.origin_country, ranked.origin_country),
        expected_delivery = coalesce(ranked.expected_delivery, shipments.expected_delivery),
        pickup = coalesce(ranked.pickup, shipments.pickup)
      from ranked
      where shipments.shop_id = ranked.shop_id and shipments.id = ranked.id
    )
    select matched.n, locked.id as shipment_id, locked.order_id, locked.direction, locked.expected_delivery, locked.pickup,
      inserted.id is not null as is_recorded, ${isQuiet} as is_quiet,
      given.weight = ${sql.lit(weights.scan)} and locked.is_labelled and locked.is_cancelled as follows_cancellation,
      locked.is_draft and not given.allowed_for_drafts as is_rejected
    from matched
    join given using (n)
    left join locked on locked.shop_id = matched.shop_id and locked.id = matched.id
    left join inserted on inserted.shop_id = given.shop_id and inserted.id = given.id
    order by matched.n`.execute(context.db)
  return results.map((row): EventOutcome => {
    if (row.shipment_id === null) return { result: 'no shipment' }
    if (row.is_recorded) {
      return {
        result: 'recorded',
        shipmentId: row.shipment_id,
        orderId: row.order_id,
        direction: row.direction,
        expectedDelivery: row.expected_delivery,
        pickup: row.pickup,
        followsCancellation: row.follows_cancellation === true,
        isQuiet: row.is_quiet === true,
      }
    }
    return { result: row.is_rejected ? 'not allowed for drafts' : 'duplicate' }
  })
}
