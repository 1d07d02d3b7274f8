import { mailReceiver } from '../../delivery/queue/delivery.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { atRisk, getMeaning, groupOf } from '../../platform/catalogue/catalogue.ts'

/** The group for every event of the phase `delivered`. Integrations receive it only if the shop wants all of them. */
const everyDelivery = 'shipment_delivered_all_events'

/** An event that was recorded for a shipment. */
export interface ShipmentEvent {
  shopId: string
  shipmentId: string
  orderId: string
  direction: string
  eventName: string
  eventTime: Date
  now: Date
}

/** The event to publish; empty if the catalogue names no group for it. */
export function toRecordedEvent(event: ShipmentEvent): RecordedEvent[] {
  const meaning = getMeaning(event.eventName)
  const eventGroup = groupOf(meaning, event.direction)
  if (eventGroup === undefined) return []
  return [
    {
      source: 'shipments',
      shopId: event.shopId,
      orderId: event.orderId,
      shipmentId: event.shipmentId,
      eventName: event.eventName,
      eventTime: event.eventTime,
      now: event.now,
      ref: shipmentRef(event.eventName),
      eventGroup,
      additionalGroup: meaning.phase === 'delivered' ? everyDelivery : null,
      isOncePerGroup: true,
    },
  ]
}

/**
 * A parcel will probably be late. The caller ensures that it is published once. Customers get an e-mail about it only
 * from an automation of the shop: it is a guess, and most merchants want to act before they inform customers.
 */
export function atRiskEvent(parcel: Pick<RecordedEvent, 'shopId' | 'shipmentId' | 'orderId' | 'now'>): RecordedEvent {
  return {
    ...parcel,
    source: 'shipments',
    eventName: atRisk.eventName,
    eventTime: parcel.now,
    ref: atRisk.ref,
    eventGroup: atRisk.group,
    additionalGroup: null,
    isOncePerGroup: false,
    notTo: mailReceiver,
  }
}

/** The value that endpoint filters match for events of shipments. */
export function shipmentRef(eventName: string): string {
  return `shipments/${getMeaning(eventName).phase}/${eventName}`
}
