import type { Product } from './parts.ts'
import type { OrderRecord } from './rules.ts'
import type { GivenTracking } from './schema.ts'

/** What the shop's figures need of an order. Everything else may tell whose it was, also what is added later. */
const keptDetails = [
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
]
const keptOfAddress = ['country', 'country_code']
const keptAnalytics = ['source', 'campaign', 'medium', 'captured_at']

/** An order as numbers: nothing that tells whose it is. */
export function withoutCustomer<Order extends OrderRecord>(order: Order): Order {
  return {
    ...order,
    emailId: null,
    zipCode: null,
    details: detailsWithoutCustomer(order.details),
    analytics: analyticsWithoutCustomer(order.analytics),
  }
}

/** A parcel without the carrier's page of it, whose address may carry the zip code, and without what was entered. */
export function withoutAddress(tracking: GivenTracking): GivenTracking {
  const { tracking_url: _url, ...rest } = tracking
  return rest.products ? { ...rest, products: productsWithoutCustomer(rest.products) } : rest
}

export function detailsWithoutCustomer(details: Record<string, unknown>): Record<string, unknown> {
  const address = addressWithoutCustomer(details.address)
  const { products } = details as { products?: Product[] } // as our schema let them in
  return {
    ...pick(details, keptDetails),
    ...(products ? { products: productsWithoutCustomer(products) } : {}),
    ...(address === null ? {} : { address }),
  }
}

/** What a customer had engraved or entered may be a name. */
export function productsWithoutCustomer(products: readonly Product[]): Product[] {
  return products.map(({ properties: _entered, bundled_products, ...product }) => ({
    ...product,
    ...(bundled_products
      ? { bundled_products: bundled_products.map(({ properties: _other, ...bundled }) => bundled) }
      : {}),
  }))
}

export function analyticsWithoutCustomer(analytics: Record<string, unknown>): Record<string, unknown> {
  return pick(analytics, keptAnalytics)
}

/** The country alone; null where none is known. */
export function addressWithoutCustomer(address: unknown): Record<string, unknown> | null {
  if (typeof address !== 'object' || address === null) return null
  const kept = pick(address as Record<string, unknown>, keptOfAddress) // an object, as was just asked
  return Object.keys(kept).length === 0 ? null : kept
}

export function pick(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
