import type { Context } from '../../platform/foundation/context.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** The number that identifies a shipment for "once per shipment"; a setting of each integration. */
export type ShipmentGroupKey = 'shipment_id' | 'tracking_number' | 'external_shipment_id'

/** The payload of an event, as JSON, and the numbers of its shipment. */
export interface BuiltPayload {
  body: string
  shipmentNumbers: Record<Exclude<ShipmentGroupKey, 'shipment_id'>, string | null>
}

/**
 * Builds payloads from the orders as the current transaction has left them. A port: notifications decide who receives an
 * event, and the areas that own orders, shipments and claims define how they look.
 */
export interface PayloadBuilder {
  /** In the order of the events; undefined for one whose order is gone. */
  build(context: Context, events: RecordedEvent[]): Promise<(BuiltPayload | undefined)[]>
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    payloads: PayloadBuilder
  }
}
