import type { Product } from './parts.ts'
import type { OrderRecord } from './rules.ts'
import type { GivenTracking } from './schema.ts'

/** Details for analytics. An allow-list, because any other field, present or future, may identify the customer. */
const retainedDetails = [
  'total_order_price',
  'shipping_price',
  'sub_total_price',
  'discount_price',
  'products',
  'discounts',
  'fees',
  'currency',
  'weight',
  'financial_status',
  'shipping_method',
]
const retainedAddress = ['country', 'country_code']
const retainedAnalytics = ['source', 'campaign', 'medium', 'captured_at']

/** The order without anything that identifies its customer. */
export function withoutCustomer<Order extends OrderRecord>(order: Order): Order {
  return {
    ...order,
    emailId: null,
    zipCode: null,
    details: detailsWithoutCustomer(order.details),
    analytics: analyticsWithoutCustomer(order.analytics),
  }
}

/** The parcel without its tracking URL, which may contain the zip code, and without text that the customer entered. */
export function withoutAddress(tracking: GivenTracking): GivenTracking {
  const { tracking_url: _url, ...rest } = tracking
  return rest.products ? { ...rest, products: productsWithoutCustomer(rest.products) } : rest
}

export function detailsWithoutCustomer(details: Record<string, unknown>): Record<string, unknown> {
  const address = addressWithoutCustomer(details.address)
  const { products } = details as { products?: Product[] } // validated when they were stored
  return {
    ...pick(details, retainedDetails),
    ...(products ? { products: productsWithoutCustomer(products) } : {}),
    ...(address === null ? {} : { address }),
  }
}

/** Removes what the customer entered, such as an engraving: it may be a name. */
export function productsWithoutCustomer(products: readonly Product[]): Product[] {
  return products.map(({ properties: _entered, bundled_products, ...product }) => ({
    ...product,
    ...(bundled_products
      ? { bundled_products: bundled_products.map(({ properties: _other, ...bundled }) => bundled) }
      : {}),
  }))
}

export function analyticsWithoutCustomer(analytics: Record<string, unknown>): Record<string, unknown> {
  return pick(analytics, retainedAnalytics)
}

/** Only the country; null if it is unknown. */
export function addressWithoutCustomer(address: unknown): Record<string, unknown> | null {
  if (typeof address !== 'object' || address === null) return null
  const retained = pick(address as Record<string, unknown>, retainedAddress) // an object, as checked above
  return Object.keys(retained).length === 0 ? null : retained
}

export function pick(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
