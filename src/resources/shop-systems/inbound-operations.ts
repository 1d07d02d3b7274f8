import { operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { expectSecret, receive } from './receive.ts'

const area = 'Shop systems'
const signature = "Signed with the shop's webhook secret over the bytes of the body."
const rest =
  'Orders, their parcels, cancellations and products are taken over; messages may come in any order and more than once. What is not followed is answered with 200 and changes nothing.'

export const receiveShopify = operation({
  name: 'receiveShopifyWebhook',
  summary: 'Take a webhook of Shopify',
  description: `${signature} \`X-Shopify-Hmac-Sha256\` is base64; the secret that PUT /shopify/webhook-secret sets is taken as well. ${rest}`,
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
  summary: 'Take a webhook of Shopware',
  description: `Signed with the secret that was negotiated when the app was registered: \`shopware-shop-signature\` is the hexadecimal HMAC-SHA256 of the bytes of the body. Messages that name orders only make us fetch them. ${rest}`,
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
  summary: 'Take a webhook of WooCommerce',
  description: `${signature} \`X-WC-Webhook-Signature\` is base64; the form that a new webhook is tried with is not signed, and answered with 200. Orders that are pending or failed, or on hold where PATCH /settings/shop-systems says so, are not taken over before they are paid. ${rest}`,
  area,
  route: 'POST /v1/inbound/{slug}/woocommerce',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'woocommerce'),
  handle: (context, { message }) => receive(context, 'woocommerce', message),
})
