import { type Fields, instantOf, textOf } from '../read-fields.ts'
import type { ReportedScan } from '../shop-system.ts'

/**
 * Shopify's FulfillmentEventStatus (`shipment_status`) mapped to our catalogue. `failure` means that Shopify could not
 * determine the status; it says nothing about the parcel.
 */
export const shipmentStatuses: Readonly<Record<string, string>> = {
  label_purchased: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  label_printed: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  confirmed: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  carrier_picked_up: 'PICKUP_SUCCESSFUL',
  in_transit: 'SHIPMENT_EN_ROUTE',
  delayed: 'DELAY_IN_TRANSPORT',
  out_for_delivery: 'OUT_FOR_DELIVERY',
  attempted_delivery: 'DELIVERY_ATTEMPTED',
  ready_for_pickup: 'PARCEL_READY_FOR_PICKUP',
  picked_up: 'SUCCESSFULLY_COLLECTED',
  delivered: 'SUCCESSFULLY_DELIVERED',
  not_delivered: 'ATTEMPTED_DELIVERY_UNDELIVERABLE',
  failure: 'MORE_INFO_ON_CARRIER_WEBSITE',
}

/** From the current state of a fulfilment. */
export function readShipmentStatus(fulfillment: Fields): ReportedScan | undefined {
  return scanOf(fulfillment.shipment_status, instantOf(fulfillment.updated_at), true)
}

/** From a `fulfillment_events/create` message. */
export function readFulfillmentEvent(event: Fields, sentAt: Date | undefined): ReportedScan | undefined {
  return scanOf(event.status, instantOf(event.happened_at) ?? instantOf(event.created_at) ?? sentAt, false)
}

function scanOf(status: unknown, time: Date | undefined, isState: boolean): ReportedScan | undefined {
  const code = textOf(status, 100)?.toLowerCase()
  if (code === undefined || time === undefined || !Object.hasOwn(shipmentStatuses, code)) return undefined
  const eventName = shipmentStatuses[code]
  return eventName === undefined ? undefined : { code, eventName, time, isState }
}
