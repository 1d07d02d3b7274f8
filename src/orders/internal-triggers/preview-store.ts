import { sql } from 'kysely'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { crossedBetween, finishedPhases, firesNow, type TriggerRule, thresholdColumn } from './store.ts'

/** A shipment that a trigger would fire for. */
export interface MatchingShipment {
  shipmentId: string
  orderId: string
  orderNumber: string
  trackingNumber: string | null
  carrierReference: string | null
  phase: string
  eventName: string
  /** Since when the time of the threshold runs. */
  since: Date
}

export interface TriggerPreview {
  matching: MatchingShipment[]
  /** Whether every unfinished shipment was considered. */
  isComplete: boolean
}

/** Shipments that a preview reads, newest event first, and again that many that passed the threshold within a day. */
const readAtMost = 5_000

/**
 * The shipments that a trigger would fire for at this moment, up to a limit; those that passed its threshold last come
 * first. Candidates are the unfinished ones, and of finished ones those that passed the threshold within a day: a trigger
 * about delivered parcels fires for no others. Reads a fixed number of shipments, so that it costs the same for every shop.
 *
 *   walked     the shipments with the newest events that are old enough
 *   crossed    those that passed the threshold within a day
 *   found      what the rule accepts
 */
export async function findMatching(context: Context, trigger: TriggerRule, limit: number): Promise<TriggerPreview> {
  const newest = trigger.timeThresholdType === 'latest_event_time' ? trigger.thresholdMs : 0
  const { rows } = await sql<{ walked: number } & (MatchingShipment | { shipmentId: null })>`
    with walked as materialized (
      select id, phase from shipments
      where shop_id = ${trigger.shopId} and latest_event_at <= ${after(context.now, -newest)}
      order by latest_event_at desc
      limit ${sql.lit(readAtMost)}
    ), crossed as materialized (
      select id from (${crossedBetween(trigger, after(context.now, -dayMs), context.now)}) as crossed
      limit ${sql.lit(readAtMost)}
    ), candidates as materialized (
      select id from walked where phase <> all(${finishedPhases}::text[])
      union
      select id from crossed
    ), found as materialized (
      select shipments.id, shipments.order_id, shipments.tracking_number, shipments.carrier_reference, shipments.phase,
        shipments.current_event_key, ${thresholdColumn(trigger)} as since
      from candidates
      join shipments on shipments.shop_id = ${trigger.shopId} and shipments.id = candidates.id
      where ${firesNow(context, trigger)}
      order by since desc, shipments.id desc
      limit ${sql.lit(limit)}
    )
    select (select count(*) from walked) as walked, found.id as "shipmentId", found.order_id as "orderId",
      orders.order_number as "orderNumber", found.tracking_number as "trackingNumber",
      found.carrier_reference as "carrierReference", found.phase, found.current_event_key as "eventName", found.since
    from (select 1) as one
    left join found on true
    left join lateral (
      select order_number from orders where orders.shop_id = ${trigger.shopId} and orders.id = found.order_id offset 0
    ) as orders on true
    order by found.since desc, found.id desc`.execute(context.db)
  return {
    matching: rows.filter((row) => row.shipmentId !== null),
    isComplete: (rows[0]?.walked ?? 0) < readAtMost,
  }
}
