import { operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { expectSecret, receive } from './receive.ts'
import { appliedMessages } from './schema.ts'

const area = 'Shop systems'
const signature = "Signed with the shop's webhook secret over the bytes of the body."

export const receiveShopify = operation({
  name: 'receiveShopifyWebhook',
  summary: 'Receive a Shopify webhook',
  description: `${signature} \`X-Shopify-Hmac-Sha256\` is base64; the secret set by PUT /shopify/webhook-secret is accepted too. ${appliedMessages}`,
  area,
  route: 'POST /v1/inbound/{slug}/shopify',
  needs: 'nobody',
  signed: true,
  messageExample: {
    id: 5_123_456_789,
    name: '#1001',
    email: 'ada@customer.example',
    line_items: [{ id: 1, title: 'Rain jacket', quantity: 1, price: '89.90' }],
  },
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'shopify'),
  audit: { none: 'The timeline of the shipment records it.' },
  handle: (context, { message }) => receive(context, 'shopify', message),
})

export const receiveWooCommerce = operation({
  name: 'receiveWooCommerceWebhook',
  summary: 'Receive a WooCommerce webhook',
  description: `${signature} \`X-WC-Webhook-Signature\` is base64; the form that WooCommerce sends to test a new webhook is not signed, and gets a 200. Orders that are pending or failed, or on hold if PATCH /settings/shop-systems says so, are not stored before they are paid. ${appliedMessages}`,
  area,
  route: 'POST /v1/inbound/{slug}/woocommerce',
  needs: 'nobody',
  signed: true,
  messageExample: {
    id: 1001,
    number: '1001',
    status: 'processing',
    billing: { email: 'ada@customer.example' },
    line_items: [{ id: 1, name: 'Rain jacket', quantity: 1, total: '89.90' }],
  },
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'woocommerce'),
  audit: { none: 'The timeline of the shipment records it.' },
  handle: (context, { message }) => receive(context, 'woocommerce', message),
})
