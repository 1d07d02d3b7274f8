import type { OutgoingEvent } from '../integration.ts'

/** The values of Shopify's FulfillmentEventStatus that our events map to. */
export type FulfillmentEventStatus =
  | 'CONFIRMED'
  | 'CARRIER_PICKED_UP'
  | 'IN_TRANSIT'
  | 'DELAYED'
  | 'OUT_FOR_DELIVERY'
  | 'ATTEMPTED_DELIVERY'
  | 'READY_FOR_PICKUP'
  | 'DELIVERED'
  | 'FAILURE'

const byGroup: Record<string, FulfillmentEventStatus> = {
  shipment_pre_transit: 'CONFIRMED',
  shipment_in_transit: 'IN_TRANSIT',
  shipment_carrier_changed: 'IN_TRANSIT',
  shipment_carrier_delay: 'DELAYED',
  shipment_customs_action_needed: 'DELAYED',
  shipment_delayed_due_to_customer_request: 'DELAYED',
  shipment_out_for_delivery: 'OUT_FOR_DELIVERY',
  shipment_delivery_failed: 'ATTEMPTED_DELIVERY',
  shipment_delivery_failed_address_issue: 'ATTEMPTED_DELIVERY',
  shipment_delivery_failed_forwarded_to_parcel_shop: 'ATTEMPTED_DELIVERY',
  shipment_delivery_second_attempt: 'ATTEMPTED_DELIVERY',
  shipment_delivered_to_parcel_locker: 'READY_FOR_PICKUP',
  shipment_delivered_to_parcel_shop: 'READY_FOR_PICKUP',
  shipment_delivered: 'DELIVERED',
  shipment_delivered_all_events: 'DELIVERED',
  shipment_delivered_to_letterbox: 'DELIVERED',
  shipment_delivered_to_neighbour: 'DELIVERED',
  shipment_picked_up: 'DELIVERED',
  shipment_damaged: 'FAILURE',
  shipment_failed_returned: 'FAILURE',
  shipment_not_picked_up_then_returned: 'FAILURE',
  shipment_refused_then_returned: 'FAILURE',
}

/** For groups that a shop's own automations define, the phase decides. */
const byPhase: Record<string, FulfillmentEventStatus> = {
  order_processed: 'CONFIRMED',
  in_transit: 'IN_TRANSIT',
  in_delivery: 'OUT_FOR_DELIVERY',
  collect: 'READY_FOR_PICKUP',
  delivered: 'DELIVERED',
  delivery_failed: 'FAILURE',
}

/** Groups that say nothing about where the parcel is, or that Shopify knows by itself. */
const untold = new Set(['shipment_at_risk', 'shipment_internal_trigger', 'shipment_order_cancelled'])

/** Undefined if Shopify has no status for it: claims, customer returns, cancelled orders, reminders. */
export function findStatus(event: OutgoingEvent): FulfillmentEventStatus | undefined {
  const { eventGroup, eventData } = event
  if (event.source !== 'shipments' || untold.has(eventGroup) || eventGroup.startsWith('return_')) return undefined
  const name = String(eventData.event_name)
  if (name === 'PICKUP_SUCCESSFUL') return 'CARRIER_PICKED_UP'
  // One group covers failed attempts and lost parcels; a lost parcel gets no other attempt.
  if (eventGroup === 'shipment_delivery_failed' && name.startsWith('SHIPMENT_')) return 'FAILURE'
  return (
    (Object.hasOwn(byGroup, eventGroup) ? byGroup[eventGroup] : undefined) ??
    (Object.hasOwn(byPhase, String(eventData.phase)) ? byPhase[String(eventData.phase)] : undefined)
  )
}
