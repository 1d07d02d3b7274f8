import { operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { expectSecret, receive } from './receive.ts'

const area = 'Shop systems'
const signature = "Signed with the shop's webhook secret over the bytes of the body."
const rest =
  'Orders, their parcels, cancellations and products are stored; messages may arrive in any sequence and more than once. Other topics get a 200 and change nothing.'

export const receiveShopify = operation({
  name: 'receiveShopifyWebhook',
  summary: 'Receive a Shopify webhook',
  description: `${signature} \`X-Shopify-Hmac-Sha256\` is base64; the secret set by PUT /shopify/webhook-secret is accepted too. ${rest}`,
  area,
  route: 'POST /v1/inbound/{slug}/shopify',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'shopify'),
  handle: (context, { message }) => receive(context, 'shopify', message),
})

export const receiveShopware = operation({
  name: 'receiveShopwareWebhook',
  summary: 'Receive a Shopware webhook',
  description: `Signed with the secret that was negotiated when the app was registered: \`shopware-shop-signature\` is the hexadecimal HMAC-SHA256 of the bytes of the body. Orders that a message only names are fetched. ${rest}`,
  area,
  route: 'POST /v1/inbound/{slug}/shopware',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'shopware'),
  handle: (context, { message }) => receive(context, 'shopware', message),
})

export const receiveWooCommerce = operation({
  name: 'receiveWooCommerceWebhook',
  summary: 'Receive a WooCommerce webhook',
  description: `${signature} \`X-WC-Webhook-Signature\` is base64; the form that WooCommerce sends to test a new webhook is not signed, and gets a 200. Orders that are pending or failed, or on hold where PATCH /settings/shop-systems says so, are not stored before they are paid. ${rest}`,
  area,
  route: 'POST /v1/inbound/{slug}/woocommerce',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'woocommerce'),
  handle: (context, { message }) => receive(context, 'woocommerce', message),
})
