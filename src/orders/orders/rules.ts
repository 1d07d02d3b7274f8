import { isDeepStrictEqual } from 'node:util'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { createKnownFields } from '../../platform/foundation/known-fields.ts'
import { instant } from '../../platform/foundation/schema.ts'
import { webAddress } from '../../platform/foundation/web-address.ts'
import { OrderAnalytics } from './parts.ts'
import { GivenOrder, type OrderPlacement, type OrderStatus, type OrderUpsert } from './schema.ts'

/** A stored order: searchable values have their own fields, the rest is in `details`. */
export interface OrderRecord {
  orderNumber: string
  externalId: string
  orderName: string | null
  emailId: string | null
  zipCode: string | null
  orderPlacedAt: Date
  expectedShipments: number
  /** All its products are digital, refunded or removed. */
  hasNothingToSend: boolean
  /** Its shop system calls it fulfilled, but it has no tracking number. */
  isHandedOverWithoutTracking: boolean
  details: Record<string, unknown>
  analytics: Record<string, unknown>
}

const knownFields = createKnownFields<GivenOrder>(GivenOrder)
const knownAnalytics = createKnownFields<OrderAnalytics>(OrderAnalytics)

/** The order that an upsert creates. */
export function newOrder(
  given: OrderPlacement | GivenOrder,
  numbers: { orderNumber: string; externalId: string },
  now: Date,
): OrderRecord {
  const { columns, details, analytics } = splitFields(given)
  return {
    orderNumber: numbers.orderNumber,
    externalId: numbers.externalId,
    orderName: columns.orderName ?? null,
    emailId: columns.emailId ?? null,
    zipCode: columns.zipCode ?? null,
    orderPlacedAt: columns.orderPlacedAt ?? now,
    expectedShipments: columns.expectedShipments ?? 1,
    hasNothingToSend: false,
    isHandedOverWithoutTracking: false,
    details: { discount_price: 0, currency: 'EUR', products: [], discounts: [], ...details },
    analytics,
  }
}

/** An existing order after an upsert: given fields replace, absent ones stay. Undefined if nothing changes. */
export function changedOrder(known: OrderRecord, given: GivenOrder): OrderRecord | undefined {
  const { columns, details, analytics } = splitFields(given)
  const next: OrderRecord = {
    ...known,
    orderNumber: given.order_number ?? known.orderNumber,
    externalId: given.external_id ?? known.externalId,
    orderName: columns.orderName ?? known.orderName,
    emailId: columns.emailId ?? known.emailId,
    zipCode: columns.zipCode === undefined ? known.zipCode : columns.zipCode,
    orderPlacedAt: columns.orderPlacedAt ?? known.orderPlacedAt,
    expectedShipments: columns.expectedShipments ?? known.expectedShipments,
    details: { ...known.details, ...details },
    analytics: { ...known.analytics, ...analytics },
  }
  return isSameOrder(known, next) ? undefined : next
}

export function isSameOrder(left: OrderRecord, right: OrderRecord): boolean {
  return isDeepStrictEqual(pickOrder(left), pickOrder(right))
}

export function withAnalytics(order: OrderRecord, given: OrderAnalytics | null | undefined): OrderRecord {
  return given ? { ...order, analytics: { ...order.analytics, ...knownAnalytics(given) } } : order
}

function pickOrder(order: OrderRecord): OrderRecord {
  const { orderNumber, externalId, orderName, emailId, zipCode, orderPlacedAt, expectedShipments } = order
  const { hasNothingToSend, isHandedOverWithoutTracking, details, analytics } = order
  return {
    orderNumber,
    externalId,
    orderName,
    emailId,
    zipCode,
    orderPlacedAt,
    expectedShipments,
    hasNothingToSend,
    isHandedOverWithoutTracking,
    details,
    analytics,
  }
}

/** Separates the values with a column of their own from the details. */
function splitFields(given: OrderPlacement | GivenOrder) {
  const known = knownFields(given as GivenOrder)
  const { order_number, external_id, order_name, email_id, order_placed_at, expected_number_of_shipments, ...others } =
    known
  const { order_analytics, promise_id: _promise, promised_delivery: _promised, ...details } = others // stored by themselves
  return {
    columns: {
      orderName: order_name ?? undefined,
      emailId: email_id ?? undefined,
      // An address is replaced as a whole, its zip code with it.
      zipCode: known.address ? known.address.zip_code || null : undefined,
      orderPlacedAt: order_placed_at ? instant(order_placed_at) : undefined,
      expectedShipments: expected_number_of_shipments ?? undefined,
    },
    details: withUsableLinks(withTextAmounts(details)),
    analytics: { ...order_analytics },
  }
}

/** Amounts and ids may be sent as numbers; they are stored and returned as text. */
function withTextAmounts(details: Record<string, unknown>): Record<string, unknown> {
  const { discounts, products } = details as {
    discounts?: { amount?: unknown }[]
    products?: Record<string, unknown>[]
  }
  return {
    ...details,
    ...(discounts ? { discounts: discounts.map((discount) => withText(discount, ['amount'])) } : {}),
    ...(products ? { products: products.map(normaliseProduct) } : {}),
  }
}

/** An invalid link is ignored, so that it does not replace a stored one. */
function withUsableLinks({ order_status_url: given, ...details }: Record<string, unknown>): Record<string, unknown> {
  const address = typeof given === 'string' ? webAddress(given) : undefined
  return address === undefined ? details : { ...details, order_status_url: address }
}

/** A line item in its stored form: ids as text, and only images with a valid address. */
export function normaliseProduct<Item extends Record<string, unknown>>(product: Item): Item {
  const normalised = withText(product, ['product_id', 'variant_id'])
  const { images } = normalised as { images?: { src: string }[] | null } // as its schema has it
  if (!images?.length) return normalised
  const usable = images.flatMap((image) => {
    const src = webAddress(image.src)
    return src === undefined ? [] : [{ ...image, src }]
  })
  return { ...normalised, images: usable }
}

function withText<Value extends Record<string, unknown>>(value: Value, names: string[]): Value {
  const numbers = names.filter((name) => typeof value[name] === 'number')
  if (numbers.length === 0) return value
  return { ...value, ...Object.fromEntries(numbers.map((name) => [name, String(value[name])])) }
}

export function withoutNulls<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) as Partial<Value>
}

/** Placed until something was sent, partially fulfilled until all expected shipments were sent, then fulfilled. */
export function statusOf(
  shipments: { tracking_number: string | null; direction: string }[],
  expectedShipments: number,
): OrderStatus {
  const sent = shipments.filter(
    ({ direction, tracking_number }) => !isReturn(direction) && tracking_number !== null,
  ).length
  if (sent === 0) return 'placed'
  return sent < expectedShipments ? 'partially_fulfilled' : 'fulfilled'
}

export function countryCodeOf(order: Pick<OrderRecord, 'details'>): string | null {
  const { address } = order.details as { address?: { country_code?: string } }
  return /^\s*([A-Za-z]{2})\b/.exec(address?.country_code ?? '')?.[1]?.toUpperCase() ?? null
}

export function shippingMethodOf(order: Pick<OrderRecord, 'details'>): string | null {
  const { shipping_method } = order.details as { shipping_method?: string } // validated when it was stored
  return shipping_method || null
}

type Loc = (string | number)[]

/**
 * Rejects errors that show without reading the store: an id that the payload contradicts, an invalid zip code. Problems
 * are located below `loc`, which is the body or an item of a bulk.
 */
export function checkUpsert(upsert: OrderUpsert, loc: Loc): void {
  const idType = upsert.id_type ?? 'order_number'
  if (idType === 'uuid' && !isUuid(upsert.id)) throw invalid([...loc, 'id'], 'must be a UUID for this id_type')
  const { order } = upsert
  if (!order) return
  const named = idType === 'uuid' ? undefined : order[idType]
  if (named !== undefined && named !== null && named !== upsert.id) {
    throw invalid([...loc, 'order', idType], `must equal the id of the request, ${JSON.stringify(upsert.id)}`)
  }
  checkZipCode(order.address, [...loc, 'order', 'address', 'zip_code'])
}

/** The numbers that a new order gets from its upsert; throws if the order number is missing. */
export function numbersOf(
  upsert: OrderUpsert,
  order: GivenOrder,
  loc: Loc,
): { orderNumber: string; externalId: string } {
  const idType = upsert.id_type ?? 'order_number'
  const orderNumber = idType === 'order_number' ? upsert.id : order.order_number
  if (!orderNumber) {
    throw new ApiError('invalid_payload', 'order.order_number: field required for a new order', {
      problems: [{ loc: [...loc, 'order', 'order_number'], msg: 'field required for a new order', type: 'missing' }],
    })
  }
  const externalId = idType === 'external_id' ? upsert.id : order.external_id
  return { orderNumber, externalId: externalId ?? orderNumber }
}

const longestZipCode = 20

/** Many countries have no zip codes, so it may be absent, null or empty. */
export function checkZipCode(address: { zip_code?: string | null } | null | undefined, loc: Loc): void {
  const zipCode = address?.zip_code
  if (zipCode === undefined || zipCode === null || zipCode === '') return
  if (zipCode.length > longestZipCode || /\p{Cc}/u.test(zipCode) || !/[\p{L}\p{N}]/u.test(zipCode)) {
    throw invalid(
      loc,
      `must be a zip code: at most ${longestZipCode} characters, with at least one letter or digit`,
      'zip_code_invalid',
    )
  }
}
