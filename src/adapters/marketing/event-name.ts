/**
 * The event names in a marketing system: the subject, then what happened to it. Our group names are long; these are
 * short and sort well.
 */
const labels: Record<string, string> = {
  shipment_pre_transit: 'Shipment Announced',
  shipment_in_transit: 'Shipment In Transit',
  shipment_out_for_delivery: 'Shipment Out for Delivery',
  shipment_delivered: 'Shipment Delivered',
  shipment_delivered_all_events: 'Shipment Delivered All Events',
  shipment_delivered_to_letterbox: 'Shipment Delivered to Letterbox',
  shipment_delivered_to_neighbour: 'Shipment Delivered to Neighbour',
  shipment_delivered_to_parcel_locker: 'Shipment Ready at Parcel Locker',
  shipment_delivered_to_parcel_shop: 'Shipment Ready at Parcel Shop',
  shipment_picked_up: 'Shipment Picked Up',
  shipment_carrier_delay: 'Shipment Delayed',
  shipment_customs_action_needed: 'Shipment Customs Action Needed',
  shipment_delayed_due_to_customer_request: 'Shipment Delayed on Request',
  shipment_carrier_changed: 'Shipment Carrier Changed',
  shipment_damaged: 'Shipment Damaged',
  shipment_delivery_failed: 'Shipment Delivery Failed',
  shipment_delivery_failed_address_issue: 'Shipment Address Problem',
  shipment_delivery_failed_forwarded_to_parcel_shop: 'Shipment Forwarded to Parcel Shop',
  shipment_delivery_second_attempt: 'Shipment Second Delivery Attempt',
  shipment_failed_returned: 'Shipment Returned to Sender',
  shipment_not_picked_up_then_returned: 'Shipment Not Picked Up and Returned',
  shipment_refused_then_returned: 'Shipment Refused and Returned',
  shipment_order_cancelled: 'Shipment Cancelled',
  shipment_at_risk: 'Shipment at Risk',
  shipment_internal_trigger: 'Shipment Custom Trigger',
  return_shipment_pre_transit: 'Return Announced',
  return_shipment_in_transit: 'Return In Transit',
  return_shipment_delivered: 'Return Delivered',
  return_shipment_delivery_failed: 'Return Failed',
  return_shipment_carrier_delay: 'Return Delayed',
  claim_created: 'Claim Created',
  claim_updated: 'Claim Updated',
}

/** "Shipment Out for Delivery": for systems with free-text event names. An unknown group is spelled out. */
export function eventLabel(eventGroup: string): string {
  return Object.hasOwn(labels, eventGroup) ? (labels[eventGroup] ?? eventGroup) : writeOut(eventGroup)
}

/** `shipment_out_for_delivery`: for systems that allow only lower-case letters, digits and underscores. */
export function eventKey(eventGroup: string): string {
  return eventLabel(eventGroup)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
}

function writeOut(eventGroup: string): string {
  return eventGroup
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
