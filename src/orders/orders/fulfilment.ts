import { isDeepStrictEqual } from 'node:util'
import { chooseCarrier, findCarrier, findCarrierByCompany, trackingUrl } from '../../adapters/carriers/choose.ts'
import { getMeaning, isReturn } from '../../platform/catalogue/catalogue.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { createKnownFields } from '../../platform/foundation/known-fields.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import type { SystemEvent } from '../events/store.ts'
import type { NewShipment, ShipmentDetails } from '../shipments/write-store.ts'
import { countryCodeOf, normaliseProduct, shippingMethodOf } from './rules.ts'
import { GivenTracking } from './schema.ts'
import type { KnownShipment, LockedOrder } from './store.ts'

/** The changes to an order's shipments. */
export interface ShipmentPlan {
  inserts: NewShipment[]
  fulfils: NewShipment[]
  updates: ShipmentDetails[]
  removes: string[]
  events: SystemEvent[]
}

export interface PlannedOrder {
  shopId: string
  id: string
  orderPlacedAt: Date
  /** 0 if the order has nothing to send, whatever number the shop expects. */
  expectedShipments: number
  zipCode: string | null
  countryCode: string | null
  shippingMethod: string | null
  /** Share of each carrier in the shop's shipments; undefined if there are too few of them. */
  carrierHistory?: ReadonlyMap<string, number> | undefined
  now: Date
}

/** An order as it is stored, to plan its shipments. */
export function toPlannedOrder(order: LockedOrder, now: Date): PlannedOrder {
  return {
    shopId: order.shopId,
    id: order.id,
    orderPlacedAt: order.orderPlacedAt,
    expectedShipments: order.expectedShipments,
    zipCode: order.zipCode,
    countryCode: countryCodeOf(order),
    shippingMethod: shippingMethodOf(order),
    now,
  }
}

/** Predicts the delivery window of a parcel that is handed over at `placedAt`. */
export type Predict = (carrierReference: string | null, placedAt: Date) => { from: Date; to: Date } | undefined

const knownTracking = createKnownFields<GivenTracking>(GivenTracking)

/**
 * Plans drafts and fulfilled shipments. If the expected number is new or has changed, drafts are added or removed to
 * match it. Each new tracking number fulfils the oldest draft, or adds a shipment if there is no draft.
 */
export function planShipments(
  order: PlannedOrder,
  known: KnownShipment[],
  trackings: GivenTracking[],
  options: {
    adjustDrafts: boolean
    /** The order's shipping method before this write: shipments that have it from there follow a change. */
    formerMethod: string | null
    predict: Predict
    loc: (string | number)[]
  },
): ShipmentPlan {
  const plan: ShipmentPlan = { inserts: [], fulfils: [], updates: [], removes: [], events: [] }
  const drafts = known.filter((shipment) => shipment.trackingNumber === null && !isReturn(shipment.direction))
  const outbound = known.filter((shipment) => !isReturn(shipment.direction)).length
  const newDrafts: NewShipment[] = []
  if (options.adjustDrafts) {
    for (let count = outbound; count < order.expectedShipments; count += 1) newDrafts.push(newDraft(order))
    const surplus = Math.min(drafts.length, Math.max(0, outbound - order.expectedShipments))
    for (const draft of drafts.splice(drafts.length - surplus, surplus)) plan.removes.push(draft.id)
  }
  const byNumber = new Map(known.map((shipment) => [shipment.trackingNumber, shipment]))
  const seen = new Set<string>()
  const written = new Set(plan.removes)
  for (const [index, tracking] of trackings.entries()) {
    if (seen.has(tracking.tracking_number)) continue
    seen.add(tracking.tracking_number)
    const existing = byNumber.get(tracking.tracking_number)
    const loc = [...options.loc, 'trackings', index]
    if (existing) {
      written.add(existing.id)
      const update = changesOf(order, existing, tracking, { formerMethod: options.formerMethod, loc })
      if (update) plan.updates.push(update)
      continue
    }
    const draft = drafts.shift()
    const fresh = draft ? undefined : newDrafts.shift()
    const createdAt = draft?.currentEventAt ?? fresh?.currentEventAt
    const shipment = newFulfilledShipment(order, withCarrier(tracking, draft), {
      id: draft?.id ?? fresh?.id,
      notBefore: createdAt,
      predict: options.predict,
      loc,
    })
    if (draft) written.add(draft.id)
    if (draft) plan.fulfils.push(shipment)
    else plan.inserts.push(shipment)
    if (fresh) plan.events.push(toSystemEvent(fresh))
    plan.events.push(toSystemEvent(shipment))
  }
  for (const shipment of known) {
    const service = followedService(order, shipment, options.formerMethod)
    if (service === shipment.service || written.has(shipment.id)) continue
    plan.updates.push({ shopId: order.shopId, id: shipment.id, now: order.now, service })
  }
  for (const draft of newDrafts) {
    plan.inserts.push(draft)
    plan.events.push(toSystemEvent(draft))
  }
  return plan
}

/** A shipment without a tracking number. Its event has the time the order was placed, but never a future one. */
export function newDraft(order: PlannedOrder, direction = 'merchant_customer'): NewShipment {
  const placedAt = order.orderPlacedAt < order.now ? order.orderPlacedAt : order.now
  return {
    shopId: order.shopId,
    id: newId(order.now),
    orderId: order.id,
    trackingNumber: null,
    carrierReference: null,
    isCarrierGiven: false,
    trackingCompany: null,
    service: isReturn(direction) ? null : order.shippingMethod,
    trackingUrl: null,
    externalShipmentId: null,
    direction,
    ...stateOf('ORDER_CREATED', placedAt),
    products: null,
    placedAt,
    predicted: undefined,
    destinationCountry: order.countryCode,
    now: order.now,
  }
}

interface Fulfilment {
  /** Of the draft that becomes the shipment; a new one by default. */
  id?: string | undefined
  notBefore?: Date | undefined
  direction?: string
  predict: Predict
  loc: (string | number)[]
}

/** A shipment that has been handed to a carrier. */
export function newFulfilledShipment(
  order: PlannedOrder,
  tracking: GivenTracking,
  { id, notBefore, direction = 'merchant_customer', predict, loc }: Fulfilment,
): NewShipment {
  const given = knownTracking(tracking)
  const placedAt = given.tracking_placed_at ? instant(given.tracking_placed_at) : order.now
  // A shop's clock may be behind ours, but an order cannot be sent before it was placed.
  const sentAt = notBefore && notBefore > placedAt ? notBefore : placedAt
  const carrierReference = carrierOf(order, tracking, loc)
  return {
    shopId: order.shopId,
    id: id ?? newId(order.now),
    orderId: order.id,
    trackingNumber: given.tracking_number,
    carrierReference,
    isCarrierGiven: isCarrierNamed(tracking),
    trackingCompany: given.tracking_company ?? null,
    service: given.service || (isReturn(direction) ? null : order.shippingMethod),
    trackingUrl: webAddress(given.tracking_url) ?? linkOf(order, carrierReference, given.tracking_number),
    externalShipmentId: given.external_shipment_id ?? null,
    direction,
    ...stateOf('ORDER_PROCESSED', sentAt),
    products: productsOf(given),
    placedAt: sentAt,
    predicted: isReturn(direction) ? undefined : predict(carrierReference, sentAt),
    destinationCountry: order.countryCode,
    now: order.now,
  }
}

export function toSystemEvent(shipment: NewShipment): SystemEvent {
  return {
    shopId: shipment.shopId,
    shipmentId: shipment.id,
    orderId: shipment.orderId,
    direction: shipment.direction,
    eventKey: shipment.currentEventKey,
    eventTime: shipment.currentEventAt,
    now: shipment.now,
  }
}

function stateOf(eventKey: string, at: Date) {
  const meaning = getMeaning(eventKey)
  return { phase: meaning.phase, flag: meaning.flag, currentEventKey: eventKey, currentEventAt: at }
}

function carrierOf(order: PlannedOrder, tracking: GivenTracking, loc: (string | number)[]): string | null {
  if (tracking.carrier_reference) return getCarrier(tracking.carrier_reference, loc)
  const choice = chooseCarrier({
    trackingCompany: tracking.tracking_company,
    trackingNumber: tracking.tracking_number,
    countryCode: order.countryCode,
    history: order.carrierHistory,
  })
  return choice.reference ?? null
}

/** True if the sender named the carrier, by reference or by a known company. Otherwise the number decides. */
function isCarrierNamed(tracking: Pick<GivenTracking, 'carrier_reference' | 'tracking_company'>): boolean {
  if (tracking.carrier_reference) return true
  return Boolean(tracking.tracking_company) && findCarrierByCompany(tracking.tracking_company ?? '') !== undefined
}

/** The reference in the catalogue's spelling. */
export function getCarrier(reference: string, loc: (string | number)[]): string {
  const carrier = findCarrier(reference)
  if (carrier === undefined) {
    throw invalid(
      [...loc, 'carrier_reference'],
      'is not a known carrier; GET /v1/carriers lists them',
      'carrier_reference_invalid',
    )
  }
  return carrier.reference
}

/** A draft may have a carrier before it has a number. A carrier that comes with the number takes precedence. */
function withCarrier(tracking: GivenTracking, draft: KnownShipment | undefined): GivenTracking {
  if (!draft?.carrierReference || tracking.carrier_reference || tracking.tracking_company) return tracking
  return { ...tracking, carrier_reference: draft.carrierReference }
}

function linkOf(order: PlannedOrder, carrierReference: string | null, trackingNumber: string): string | null {
  return carrierReference === null ? null : (trackingUrl(carrierReference, trackingNumber, order.zipCode) ?? null)
}

function productsOf(tracking: GivenTracking): Record<string, unknown>[] | null {
  return tracking.products?.map(normaliseProduct) ?? null
}

/** A shipment without a service of its own has the order's shipping method, also when that changes. */
function followedService(order: PlannedOrder, known: KnownShipment, formerMethod: string | null): string | null {
  if (formerMethod === order.shippingMethod || isReturn(known.direction)) return known.service
  return known.service === formerMethod ? order.shippingMethod : known.service
}

/** For a number that the order already has: its details are updated, and no event is recorded. */
function changesOf(
  order: PlannedOrder,
  known: KnownShipment,
  tracking: GivenTracking,
  { formerMethod, loc }: { formerMethod: string | null; loc: (string | number)[] },
): ShipmentDetails | undefined {
  const given = knownTracking(tracking)
  const products = productsOf(given)
  const trackingUrl = webAddress(given.tracking_url)
  const carrierReference = given.carrier_reference ? carrierOf(order, tracking, loc) : null
  const service = given.service || followedService(order, known, formerMethod)
  const changes: Partial<ShipmentDetails> = {
    ...(service !== known.service ? { service } : {}),
    ...(trackingUrl && trackingUrl !== known.trackingUrl ? { trackingUrl } : {}),
    ...(given.external_shipment_id && given.external_shipment_id !== known.externalShipmentId
      ? { externalShipmentId: given.external_shipment_id }
      : {}),
    ...(carrierReference && carrierReference !== known.carrierReference ? { carrierReference } : {}),
    ...(products && !isDeepStrictEqual(products, known.products) ? { products } : {}),
  }
  if (Object.keys(changes).length === 0) return undefined
  return { shopId: order.shopId, id: known.id, now: order.now, ...changes }
}
