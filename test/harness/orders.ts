import type { ShopCaller } from './shop.ts'

let numbers = 0

/** A number that no other test uses. */
export function uniqueNumber(prefix = ''): string {
  numbers += 1
  return `${prefix}${process.pid}${String(numbers).padStart(6, '0')}`
}

/** An order as a shop sends it, about 1.5 KB of JSON. */
export function orderOf(orderNumber: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order_number: orderNumber,
    external_id: `external-${orderNumber}`,
    order_name: `#${orderNumber}`,
    order_placed_at: '2026-11-01T09:30:00Z',
    total_order_price: 94.85,
    shipping_price: 4.95,
    sub_total_price: 89.9,
    email_id: `customer-${orderNumber}@example.com`,
    address: {
      name: 'Ada Example',
      street: 'Example Street 1',
      city: 'Berlin',
      zip_code: '10115',
      country: 'Germany',
      country_code: 'DE',
      phone: '+49 30 1234567',
    },
    products: [
      {
        title: 'Rain jacket',
        quantity: 1,
        price: 89.9,
        sku: 'RJ-42',
        variant_title: 'Blue / M',
        product_id: 'p1',
        variant_id: 'v1',
        images: [{ src: 'https://shop.example/images/rain-jacket.jpg', alt: 'Rain jacket' }],
      },
      { title: 'Socks', quantity: 2, price: 0, sku: 'SO-1', product_id: 'p2', variant_id: 'v2' },
    ],
    discounts: [{ code: 'WELCOME10', amount: '10.00', type: 'percentage' }],
    currency: 'EUR',
    segments: ['vip'],
    weight: 850,
    ...fields,
  }
}

export function upsertOf(orderNumber: string, fields: Record<string, unknown> = {}, trackings: unknown[] = []) {
  return { id: orderNumber, id_type: 'order_number', order: orderOf(orderNumber, fields), trackings }
}

/** Creates an order and returns it as the API shows it. */
export async function createOrder(shop: ShopCaller, fields: Record<string, unknown> = {}, trackings: unknown[] = []) {
  const orderNumber = uniqueNumber()
  const { headers, status, text } = await shop.put('/orders', upsertOf(orderNumber, fields, trackings))
  if (status !== 200) throw new Error(text)
  return (await shop.get(`/orders/${String(headers.location).split('/').at(-1)}`)).body
}

export async function readOrder(shop: ShopCaller, orderNumber: string) {
  return (await shop.get('/orders', { order_number: orderNumber })).body[0]
}
