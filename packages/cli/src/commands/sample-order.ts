import { randomBytes } from 'node:crypto'
import type { Client } from 'doorstep-client'

export interface SampleParcel {
  trackingNumber: string
  /** Undefined: a carrier that nobody tracks. */
  carrier: string | undefined
}

export interface SampleOrder {
  order_number: string
  tracking_number: string
  /** The customer's page. */
  page: string
}

/** A random ending that no other number has. */
export function randomEnding(): string {
  return randomBytes(4).toString('hex').toUpperCase()
}

/** Creates an order with one parcel, as a shop system would, and returns its numbers. */
export async function createSampleOrder(
  client: Client,
  shop: string,
  { trackingNumber, carrier }: SampleParcel,
  { email, now }: { email: string | undefined; now: Date },
): Promise<SampleOrder> {
  const orderNumber = `SAMPLE-${randomEnding()}`
  const path = { slug: shop }
  await client.put('/v1/shops/{slug}/orders', {
    params: { path },
    body: {
      id: orderNumber,
      id_type: 'order_number',
      order: {
        order_number: orderNumber,
        external_id: orderNumber,
        order_placed_at: now.toISOString(),
        total_order_price: 49.9,
        shipping_price: 4.9,
        sub_total_price: 45,
        currency: 'EUR',
        email_id: email ?? 'customer@example.com',
        address: {
          name: 'Ada Example',
          street: 'Example Street 1',
          city: 'Cologne',
          zip_code: '50667',
          country: 'Germany',
          country_code: 'DE',
        },
        products: [{ title: 'Sample product', quantity: 1, price: 45, product_id: 'sample', variant_id: 'sample' }],
      },
      trackings: [
        {
          tracking_number: trackingNumber,
          ...(carrier ? { carrier_reference: carrier } : { tracking_company: 'Sample carrier' }),
        },
      ],
    },
  })
  const { url } = await client.post('/v1/shops/{slug}/orders/trackpage-url', {
    params: { path },
    body: { id: orderNumber, id_type: 'order_number' },
  })
  return { order_number: orderNumber, tracking_number: trackingNumber, page: url }
}
