import { findCarrier } from '../../adapters/carriers/find.ts'
import type { Product } from '../../orders/orders/parts.ts'
import { remainingProducts } from '../../orders/orders/remaining.ts'
import { standingProof } from '../../orders/shipments/proof.ts'
import type { Pickup } from '../../orders/shipments/schema.ts'
import type { StoredEvent } from '../../orders/shipments/store.ts'
import { type Flag, getMeaning, isReturn, isScan, labelPhases, type Phase } from '../../platform/catalogue/catalogue.ts'
import { isTimeZone } from '../../platform/foundation/formats.ts'
import { zoneOfCountry } from '../../platform/foundation/time-zones.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import type { PageOrderRecord, PageShipment } from './store.ts'

/** A shipment as its customer is shown it, on the page and in messages. */
export interface ShownParcel {
  id: string
  phase: Phase
  flag: Flag
  isReturn: boolean
  /** No tracking number yet: it has not been shipped. */
  isDraft: boolean
  /** Shipped without a known tracking number. */
  isHandedOver: boolean
  eventKey: string
  trackingNumber: string | null
  carrierName: string | undefined
  carrierLink: string | undefined
  /** Undefined: everything in the order. */
  products: Product[] | undefined
  expected: { from: Date; to: Date; isFromCarrier: boolean } | undefined
  pickup: PickupPlace | undefined
  timeZone: string
  /** Newest first. */
  events: readonly StoredEvent[]
  deliveredAt: Date | undefined
  /** The person who took it, the time and the place, without the pictures: these are for the shop. */
  proof: ShownProof | undefined
}

interface ShownProof {
  receivedBy: string | null
  time: Date
  place: string | null
}

export interface PickupPlace {
  type: Pickup['type']
  name: string | undefined
  lines: string[]
  link: string | undefined
  hours: [string, string][]
  until: Date | undefined
}

export function parcelsOf(order: PageOrderRecord): ShownParcel[] {
  const remaining = remainingProducts(order.products, order.shipments)
  return order.shipments.map((shipment) => toParcel(order, shipment, remaining))
}

function toParcel(order: PageOrderRecord, shipment: PageShipment, remaining: Product[] | undefined): ShownParcel {
  const { expected_delivery: expected, events } = shipment
  const phase = shipment.phase as Phase // from the catalogue
  const isDraft = shipment.tracking_number === null
  const isOutward = !isReturn(shipment.direction)
  const products = shipment.products as Product[] | null // validated when they came in
  return {
    id: shipment.id,
    phase,
    flag: shipment.flag as Flag, // from the catalogue
    isReturn: !isOutward,
    isDraft,
    isHandedOver: isDraft && isOutward && order.handed_over_without_tracking,
    eventKey: shipment.current_event_key,
    trackingNumber: shipment.tracking_number,
    carrierName: carrierName(shipment),
    carrierLink: webAddress(shipment.tracking_url),
    products: productsOf(order, products ?? (isDraft && isOutward ? (remaining ?? null) : null)),
    expected: expected
      ? { from: new Date(expected.start), to: new Date(expected.end), isFromCarrier: expected.source === 'carrier' }
      : undefined,
    pickup: pickupOf(shipment),
    timeZone: timeZoneOf(events, order.country_code),
    events: withoutLateLabels(events).toReversed(),
    deliveredAt: phase === 'delivered' ? timeOf(events, shipment.current_event_key) : undefined,
    proof: proofOf(shipment),
  }
}

function carrierName({ carrier_reference: reference, tracking_company: company }: PageShipment): string | undefined {
  return (reference && findCarrier(reference)?.name) || company || undefined
}

function proofOf(shipment: PageShipment): ShownProof | undefined {
  const proof = standingProof(shipment)
  return proof === null ? undefined : { receivedBy: proof.received_by, time: new Date(proof.time), place: proof.place }
}

/** A return has only product ids; the order has the details. */
function productsOf(order: PageOrderRecord, products: Product[] | null): Product[] | undefined {
  return products?.map((product) => {
    if (product.title) return product
    const ordered = order.products?.find(
      ({ product_id, variant_id }) =>
        String(product_id) === String(product.product_id) &&
        (product.variant_id == null || String(variant_id) === String(product.variant_id)),
    )
    return ordered ? { ...ordered, quantity: product.quantity ?? ordered.quantity } : product
  })
}

/**
 * For an order that was imported late, our own events are newer than the carrier's. They say when we learnt of it,
 * which is of no interest to the customer.
 */
function withoutLateLabels(events: readonly StoredEvent[]): StoredEvent[] {
  const firstScan = events.findIndex(({ event_key }) => isScan(getMeaning(event_key)))
  return events.filter(
    ({ event_key }, index) =>
      firstScan === -1 || index < firstScan || !labelPhases.includes(getMeaning(event_key).phase),
  )
}

function timeOf(events: readonly StoredEvent[], key: string): Date | undefined {
  const event = events.findLast(({ event_key }) => event_key === key)
  return event && new Date(event.event_time)
}

/** The pick-up point: from the shipment, else from the last scan that has one. */
function pickupOf({ pickup, events }: PageShipment): PickupPlace | undefined {
  if (pickup) return fromPickup(pickup as Pickup) // written in this shape only
  const info = events.findLast(({ additional_info }) => additional_info?.pickup_point)
  return info?.additional_info ? fromEvent(info.event_key, info.additional_info) : undefined
}

function fromPickup({ type, name, address, url, opening_hours, date_to }: Pickup): PickupPlace {
  const town = [address?.zip_code, address?.city].filter(Boolean).join(' ')
  const street = address?.street ?? address?.address_line_1
  // A neighbour's address is private.
  const lines = type === 'shop' || type === 'locker' ? [street, town] : []
  return {
    type,
    name: name ?? undefined,
    lines: lines.filter((line): line is string => Boolean(line)),
    link: webAddress(url),
    hours: hoursOf(opening_hours),
    until: dateOf(date_to),
  }
}

function fromEvent(eventKey: string, info: Record<string, unknown>): PickupPlace {
  return {
    type: typeOf(eventKey),
    name: String(info.pickup_point),
    lines: [],
    link: webAddress(typeof info.pickup_point_url === 'string' ? info.pickup_point_url : undefined),
    hours: hoursOf(info.pickup_opening_hours),
    until: undefined,
  }
}

function typeOf(eventKey: string): Pickup['type'] {
  if (/NEIGHBOU?R/.test(eventKey)) return 'neighbor'
  if (/LOCKER|BOX_|COMMUNITY_BOX/.test(eventKey)) return 'locker'
  return /LETTERBOX|MAILBOX/.test(eventKey) ? 'letterbox' : 'shop'
}

function hoursOf(given: unknown): [string, string][] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .slice(0, 14)
}

function dateOf(text: string | null): Date | undefined {
  const date = text === null ? undefined : new Date(text)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/** The time zone of a parcel's times: of its last scan that has one, else of the destination. */
export function timeZoneOf(events: readonly StoredEvent[], countryCode: string | null): string {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    const named = event?.timezone ?? event?.location?.timezone
    if (typeof named === 'string' && isTimeZone(named)) return named
  }
  return zoneOfCountry(countryCode) ?? 'UTC'
}
