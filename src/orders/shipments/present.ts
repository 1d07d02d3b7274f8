import { getMeaning, isReturn } from '../../platform/catalogue/catalogue.ts'
import { eventStrings } from '../../platform/catalogue/texts/translate.ts'
import type { ShopIdentity } from '../../platform/foundation/context.ts'
import { chooseLanguage, type Language, languageTag } from '../../platform/foundation/languages.ts'
import { isWebAddress, shownLink } from '../../platform/foundation/web-address.ts'
import type { Product } from '../orders/parts.ts'
import { remainingProducts } from '../orders/remaining.ts'
import { standingProof } from './proof.ts'
import type { EstimatedArrival, EventRecord, ShipmentRecord, Tracking } from './schema.ts'
import type { FoundShipment, ShipmentWithOrder, StoredEvent, StoredShipment } from './store.ts'

/** The shop that a response belongs to, and the language that the client requested. */
export interface ViewContext {
  shop: ShopIdentity
  acceptLanguage: string | undefined
}

export function languageFor(context: ViewContext): Language {
  return chooseLanguage(context.acceptLanguage, context.shop.language)
}

export function toTracking(context: ViewContext, shipment: StoredShipment, order: OrderPart): Tracking {
  const language = languageFor(context)
  return {
    uuid: shipment.id,
    id: shipment.id,
    merchant_id: context.shop.id,
    order_id: shipment.order_id,
    merchant_slug: context.shop.slug,
    shop_slug: context.shop.slug,
    order_number: order.orderNumber,
    carrier: {
      tracking_number: shipment.tracking_number,
      carrier_reference: shipment.carrier_reference,
      tracking_url: shownLink(shipment.tracking_url),
    },
    service: shipment.service,
    external_shipment_id: shipment.external_shipment_id,
    direction: shipment.direction as Tracking['direction'], // only these are ever stored
    is_return: isReturn(shipment.direction),
    phase: shipment.phase as Tracking['phase'], // from the catalogue
    flag: shipment.flag as Tracking['flag'], // from the catalogue
    events: toEvents(context, shipment),
    estimated_arrival: toEstimatedArrival(shipment.expected_delivery, language),
    pickup: toPickup(shipment.pickup as Tracking['pickup']), // written in this shape only
    proof_of_delivery: standingProof(shipment),
    products: productsOf(shipment, order),
    updated_at: toIso(shipment.updated_at),
  }
}

function toPickup(pickup: Tracking['pickup']): Tracking['pickup'] {
  return pickup?.url && !isWebAddress(pickup.url) ? { ...pickup, url: null } : pickup
}

/** The part of an order that a tracking shows. */
export interface OrderPart {
  orderNumber: string
  products: unknown
  /** The products in no parcel yet; undefined if that is unknown. */
  remaining: Product[] | undefined
}

export function orderPartOf(shipment: FoundShipment): OrderPart {
  const { order_number: orderNumber, order_products: products, sent } = shipment
  return { orderNumber, products, remaining: remainingProducts(products, sent) }
}

/** A draft shows the products that remain to be sent. */
function productsOf(shipment: StoredShipment, { products, remaining }: OrderPart): Product[] {
  const isDraft = shipment.tracking_number === null && !isReturn(shipment.direction)
  return (shipment.products ?? (isDraft ? remaining : undefined) ?? products ?? []) as Product[] // validated when they were stored
}

export function toShipmentRecord(context: ViewContext, shipment: ShipmentWithOrder): ShipmentRecord {
  return {
    uuid: shipment.id,
    order_id: shipment.order_id,
    external_shipment_id: shipment.external_shipment_id,
    tracking_number: shipment.tracking_number,
    carrier_reference: shipment.carrier_reference,
    service: shipment.service,
    tracking_url: shownLink(shipment.tracking_url),
    phase: shipment.phase as ShipmentRecord['phase'], // from the catalogue
    flag: shipment.flag as ShipmentRecord['flag'], // from the catalogue
    current_event_key: shipment.current_event_key,
    zip_code: shipment.zip_code,
    email_id: shipment.email_id,
    created_at: toIso(shipment.created_at),
    updated_at: toIso(shipment.updated_at),
    events: toEvents(context, shipment),
  }
}

function toEvents(context: ViewContext, shipment: StoredShipment): EventRecord[] {
  const language = languageFor(context)
  const options = { isReturn: isReturn(shipment.direction), shopName: context.shop.name }
  return shipment.events.map((event: StoredEvent) => ({
    event_key: event.event_key,
    event_name: event.event_key,
    phase: getMeaning(event.event_key).phase,
    time: toIso(event.event_time),
    timezone: event.timezone,
    language,
    event_strings: eventStrings(language, event.event_key, options),
    location: event.location ?? {},
    additional_info: event.additional_info ?? {},
  }))
}

function toEstimatedArrival(
  expected: StoredShipment['expected_delivery'],
  language: Language,
): EstimatedArrival | null {
  if (expected === null) return null
  const from = toIso(expected.start)
  const to = toIso(expected.end)
  return {
    from,
    to,
    start: from,
    end: to,
    time_prediction: describeWindow(from, to, language),
    language,
    source: expected.source,
  }
}

/** "Tuesday 3 November – Thursday 5 November", as the language writes it. */
function describeWindow(from: string, to: string, language: Language): string {
  return windowFormat(language).formatRange(new Date(from), new Date(to))
}

const windowFormats = new Map<Language, Intl.DateTimeFormat>()

/** Creating a format takes a hundred times as long as using it. */
function windowFormat(language: Language): Intl.DateTimeFormat {
  const known = windowFormats.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(languageTag(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  windowFormats.set(language, format)
  return format
}

/** An instant as the API writes it. Most values from the store differ only in the zone, and need no parsing. */
function toIso(text: string): string {
  if (text.length === 29 && text.endsWith('+00:00')) return `${text.slice(0, 23)}Z`
  return new Date(text).toISOString()
}
