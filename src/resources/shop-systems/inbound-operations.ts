import { operation } from '../../foundation/operation.ts'
import { NullReply } from '../../foundation/schema.ts'
import { expectSecret, receive } from './receive.ts'
import { takenMessages } from './schema.ts'

const area = 'Shop systems'
const signature = "Signed with the shop's webhook secret over the bytes of the body."

export const receiveShopify = operation({
  name: 'receiveShopifyWebhook',
  summary: 'Take a webhook of Shopify',
  description: `${signature} \`X-Shopify-Hmac-Sha256\` is base64; the secret that PUT /shopify/webhook-secret sets is taken as well. ${takenMessages}`,
  area,
  route: 'POST /v1/inbound/{slug}/shopify',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'shopify'),
  handle: (context, { message }) => receive(context, 'shopify', message),
})

export const receiveWooCommerce = operation({
  name: 'receiveWooCommerceWebhook',
  summary: 'Take a webhook of WooCommerce',
  description: `${signature} \`X-WC-Webhook-Signature\` is base64; the form that a new webhook is tried with is not signed, and answered with 200. Orders that are pending or failed, or on hold where PATCH /settings/shop-systems says so, are not taken over before they are paid. ${takenMessages}`,
  area,
  route: 'POST /v1/inbound/{slug}/woocommerce',
  needs: 'nobody',
  signed: true,
  reply: NullReply,
  errors: ['order_exists'],
  expects: (context) => expectSecret(context, 'woocommerce'),
  handle: (context, { message }) => receive(context, 'woocommerce', message),
})
