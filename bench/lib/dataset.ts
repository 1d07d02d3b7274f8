import { newOrder } from '../../src/orders/orders/rules.ts'

/**
 * The rows in the database before any measurement. Every record has a number of twelve digits, which is part of its
 * uuid, its order number and its tracking number: they can be computed from the number.
 */
export interface Dataset {
  shops: number
  /** Orders with a shipment in transit. */
  orders: number
  /** Additional orders whose shipment is still a draft, to be fulfilled. */
  drafts: number
  now: Date
  /** Orders were placed over this many days, which end now. Default: 29. */
  spreadDays?: number
  /** Parcels older than five days are delivered, by three carriers, within one to four days. Default: all are in transit. */
  isDelivered?: boolean
}

export const firstOrder = 100_000_000_000
/** New orders are numbered from here. */
export const firstNewOrder = 200_000_000_000
const firstShop = 900_000_000_000

export function shopNumber(dataset: Pick<Dataset, 'shops'>, order: number): number {
  return firstShop + (order % dataset.shops)
}

export function shopSlug(shop: number): string {
  return `shop-${shop}`
}

/** The fixed part of the uuids; the record's number follows it. */
export const uuidOf = {
  shop: '019a0002-0000-7000-8000-',
  order: '019a0000-0000-7000-8000-',
  shipment: '019a0001-0000-7000-8000-',
}

export function trackingNumber(order: number): string {
  return `PARCEL${order}`
}

/** Forty orders in every zip code, so that a page of them is full at any size. */
export function zipCode(dataset: Pick<Dataset, 'shops' | 'orders'>, order: number): string {
  return String(10_000 + (Math.floor(order / dataset.shops) % zipCodesOf(dataset)))
}

export function zipCodesOf({ orders, shops }: Pick<Dataset, 'shops' | 'orders'>): number {
  return Math.max(1, Math.floor(orders / shops / 40))
}

/** An order as a shop system sends it: 1.5 KB of JSON. */
export function orderBody(
  dataset: Pick<Dataset, 'shops' | 'orders'>,
  order: number,
  placedAt: string,
): Record<string, unknown> {
  return {
    order_number: String(order),
    external_id: `external-${order}`,
    order_name: `#${order}`,
    order_placed_at: placedAt,
    email_id: `customer-${order}@example.com`,
    total_order_price: 164.75,
    shipping_price: 4.95,
    sub_total_price: 159.8,
    discount_price: 10,
    currency: 'EUR',
    weight: 1_450,
    financial_status: 'paid',
    external_customer_id: 'customer-5550001',
    order_status_url: 'https://river-and-pine.example/account/orders/5d0c1f5a7b0e4c0f',
    user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15',
    address: {
      name: 'Ada Example',
      street: 'Example Street 1',
      city: 'Berlin',
      zip_code: zipCode(dataset, order),
      country: 'Germany',
      country_code: 'DE',
      phone: '+49 30 1234567',
    },
    products: [
      product('Rain jacket', 'RJ-42', 89.9, 'https://river-and-pine.example/images/rain-jacket-blue.jpg'),
      product('Hiking socks, two pairs', 'SO-17', 19.9, 'https://river-and-pine.example/images/hiking-socks.jpg'),
      product('Bottle', 'BO-3', 50, 'https://river-and-pine.example/images/bottle-750-ml.jpg'),
    ],
    discounts: [{ code: 'WELCOME10', amount: '10.00', type: 'fixed_amount' }],
    segments: ['vip', 'newsletter'],
  }
}

function product(title: string, sku: string, price: number, image: string): Record<string, unknown> {
  return {
    title,
    sku,
    price,
    quantity: 1,
    variant_title: 'Blue / M',
    product_id: `product-${sku}`,
    variant_id: `variant-${sku}-1`,
    requires_shipping: true,
    images: [{ src: image, alt: title }],
  }
}

/** The details that the database stores of such an order in addition to its columns. */
export function orderDetails(dataset: Pick<Dataset, 'shops' | 'orders'>): Record<string, unknown> {
  const body = orderBody(dataset, firstOrder, '2026-11-01T09:30:00Z')
  const numbers = { orderNumber: String(firstOrder), externalId: String(firstOrder) }
  return newOrder(body, numbers, new Date(0)).details
}

/** The upsert of an order in transit; its parcel has the order's own number. */
export function shippedOrder(number: string) {
  const order = orderBody({ shops: 1, orders: 40 }, 1, '2026-11-01T09:30:00Z')
  return {
    id: number,
    id_type: 'order_number',
    order: { ...order, order_number: number, external_id: number },
    trackings: [{ tracking_number: number, carrier_reference: 'dhl' }],
  }
}
