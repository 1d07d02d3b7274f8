import { Named, Type } from '../../../platform/foundation/schema.ts'
import { describeShopSystem } from '../shop-system.ts'

/** A key of the store's REST API. The address is part of it: the key is sent nowhere else. */
const WooCommerceCredentials = Named(
  'WooCommerceCredentials',
  Type.Object({
    store_url: Type.String({
      format: 'uri',
      pattern: '^https?://',
      maxLength: 2_048,
      description: 'The WordPress address, with the folder if it is installed in one',
      examples: ['https://shop.example'],
    }),
    consumer_key: Type.String({ minLength: 16, maxLength: 128, examples: ['ck_0123456789abcdef'] }),
    consumer_secret: Type.String({ minLength: 16, maxLength: 128, examples: ['cs_0123456789abcdef'] }),
  }),
)

export const woocommerce = describeShopSystem({
  name: 'woocommerce',
  label: 'WooCommerce',
  isListedUnset: false,
  credentials: {
    schema: WooCommerceCredentials,
    secrets: ['consumer_secret'],
    hint: 'A key of its REST API that may read, with the address of the store: existing orders are read with it.',
    removal: 'credentials',
  },
  signsWith: 'shop secret',
  webhook: {
    description:
      '`X-WC-Webhook-Signature` is base64; the form that WooCommerce sends to test a new webhook is not signed, and gets a 200. Orders that are pending or failed, or on hold if PATCH /settings/shop-systems says so, are not stored before they are paid.',
    example: {
      id: 1001,
      number: '1001',
      status: 'processing',
      billing: { email: 'ada@customer.example' },
      line_items: [{ id: 1, name: 'Rain jacket', quantity: 1, total: '89.90' }],
    },
  },
  // Plug-ins write dates of both.
  catchUp: ['placed', 'changed', 'open'],
  load: () => import('./adapter.ts'),
})
