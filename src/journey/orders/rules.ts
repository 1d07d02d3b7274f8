import { isDeepStrictEqual } from 'node:util'
import { isReturn } from '../../catalogue/catalogue.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { isUuid } from '../../foundation/ids.ts'
import { createKnownFields } from '../../foundation/known-fields.ts'
import { instant } from '../../foundation/schema.ts'
import { webAddress } from '../../foundation/web-address.ts'
import { OrderAnalytics } from './parts.ts'
import { GivenOrder, type OrderPlacement, type OrderStatus, type OrderUpsert } from './schema.ts'

/** An order as it is kept: what is searched by has a field of its own, the rest is in details. */
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
  /** Its shop system calls it fulfilled, and no tracking number is known. */
  isHandedOverWithoutTracking: boolean
  details: Record<string, unknown>
  analytics: Record<string, unknown>
}

const knownFields = createKnownFields<GivenOrder>(GivenOrder)
const knownAnalytics = createKnownFields<OrderAnalytics>(OrderAnalytics)

/** The order that an upsert makes where there was none. */
export function newOrder(
  given: OrderPlacement | GivenOrder,
  numbers: { orderNumber: string; externalId: string },
  now: Date,
): OrderRecord {
  const { own, details, analytics } = take(given)
  return {
    orderNumber: numbers.orderNumber,
    externalId: numbers.externalId,
    orderName: own.orderName ?? null,
    emailId: own.emailId ?? null,
    zipCode: own.zipCode ?? null,
    orderPlacedAt: own.orderPlacedAt ?? now,
    expectedShipments: own.expectedShipments ?? 1,
    hasNothingToSend: false,
    isHandedOverWithoutTracking: false,
    details: { discount_price: 0, currency: 'EUR', products: [], discounts: [], ...details },
    analytics,
  }
}

/** What a known order becomes: given fields replace, absent ones stay. Undefined where nothing changes. */
export function changedOrder(known: OrderRecord, given: GivenOrder): OrderRecord | undefined {
  const { own, details, analytics } = take(given)
  const next: OrderRecord = {
    ...known,
    orderNumber: given.order_number ?? known.orderNumber,
    externalId: given.external_id ?? known.externalId,
    orderName: own.orderName ?? known.orderName,
    emailId: own.emailId ?? known.emailId,
    zipCode: own.zipCode === undefined ? known.zipCode : own.zipCode,
    orderPlacedAt: own.orderPlacedAt ?? known.orderPlacedAt,
    expectedShipments: own.expectedShipments ?? known.expectedShipments,
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

function take(given: OrderPlacement | GivenOrder) {
  const known = knownFields(given as GivenOrder)
  const { order_number, external_id, order_name, email_id, order_placed_at, expected_number_of_shipments, ...others } =
    known
  const { order_analytics, ...details } = others
  return {
    own: {
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

/** Amounts and ids may come as numbers; they are kept and answered as text. */
function withTextAmounts(details: Record<string, unknown>): Record<string, unknown> {
  const { discounts, products } = details as {
    discounts?: { amount?: unknown }[]
    products?: Record<string, unknown>[]
  }
  return {
    ...details,
    ...(discounts ? { discounts: discounts.map((discount) => withText(discount, ['amount'])) } : {}),
    ...(products ? { products: products.map(keptProduct) } : {}),
  }
}

/** An address that is none says nothing of the order: what is known of it stays. */
function withUsableLinks({ order_status_url: given, ...details }: Record<string, unknown>): Record<string, unknown> {
  const address = typeof given === 'string' ? webAddress(given) : undefined
  return address === undefined ? details : { ...details, order_status_url: address }
}

/** A line item as it is kept: ids as text, and of its images those that are addresses. */
export function keptProduct<Item extends Record<string, unknown>>(product: Item): Item {
  const kept = withText(product, ['product_id', 'variant_id'])
  const { images } = kept as { images?: { src: string }[] | null } // as its schema has it
  if (!images?.length) return kept
  const usable = images.flatMap((image) => {
    const src = webAddress(image.src)
    return src === undefined ? [] : [{ ...image, src }]
  })
  return { ...kept, images: usable }
}

export function withText<Value extends Record<string, unknown>>(value: Value, names: string[]): Value {
  const numbers = names.filter((name) => typeof value[name] === 'number')
  if (numbers.length === 0) return value
  return { ...value, ...Object.fromEntries(numbers.map((name) => [name, String(value[name])])) }
}

export function withoutNulls<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) as Partial<Value>
}

/** Placed while nothing has been sent, partially fulfilled while fewer were sent than are expected, fulfilled otherwise. */
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

type Loc = (string | number)[]

/**
 * What an upsert can be refused for before anything is read: an id that the payload contradicts, a zip code that is
 * none. The problems are located below `loc`, which is the body, or an item of a bulk.
 */
export function checkUpsert(upsert: OrderUpsert, loc: Loc): void {
  const idType = upsert.id_type ?? 'order_number'
  if (idType === 'uuid' && !isUuid(upsert.id)) throw invalid([...loc, 'id'], 'must be a UUID, as id_type says')
  const { order } = upsert
  if (!order) return
  const named = idType === 'uuid' ? undefined : order[idType]
  if (named !== undefined && named !== null && named !== upsert.id) {
    throw invalid([...loc, 'order', idType], `must be the id of the request, ${JSON.stringify(upsert.id)}`)
  }
  checkZipCode(order.address, [...loc, 'order', 'address', 'zip_code'])
}

/** The numbers a new order gets from its upsert; what is missing is refused. */
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

/** Many countries have none, so it may be absent, null or empty; one that is given has to be one. */
export function checkZipCode(address: { zip_code?: string | null } | null | undefined, loc: Loc): void {
  const zipCode = address?.zip_code
  if (zipCode === undefined || zipCode === null || zipCode === '') return
  if (zipCode.length > longestZipCode || /\p{Cc}/u.test(zipCode) || !/[\p{L}\p{N}]/u.test(zipCode)) {
    throw invalid(
      loc,
      `must be a zip code: at most ${longestZipCode} characters, and a letter or digit among them`,
      'zip_code_invalid',
    )
  }
}
