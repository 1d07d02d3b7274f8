import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ShopSystemName } from '../../src/adapters/shop-systems/registry.ts'
import { call, type Reply } from './service.ts'
import type { TestShop } from './shop.ts'
import { installShopware } from './shopware.ts'
import { usualWooOrder, wooCommerceOrder } from './woocommerce-orders.ts'

/** A message, whose fields tests change one by one. */
export type Payload = Record<string, Reply['body']>

/** A new copy of a payload in the documented shape of its system; `fields` replace top-level ones. */
export function payload(name: string, fields: Payload = {}): Payload {
  if (name === 'woocommerce-order') return wooCommerceOrder(usualWooOrder, fields)
  const file = new URL(`../conformance/shop-systems/${name}.json`, import.meta.url)
  return { ...JSON.parse(readFileSync(file, 'utf8')), ...fields }
}

/** Sends messages as one of the shop's systems does. */
export interface Sender {
  secret: string
  /** The topic is for Shopify and WooCommerce; Shopware has it in the body. */
  send(topic: string, body: Payload | string, headers?: Record<string, string>): Promise<Reply>
}

export async function senderOf(shop: TestShop, system: ShopSystemName, ownSecret?: string): Promise<Sender> {
  const secret = ownSecret ?? (await secretOf(shop, system))
  return {
    secret,
    send: (topic, body, headers = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const sent = {
        auth: null,
        payload: text,
        headers: { 'content-type': 'application/json', ...signed(system, secret, topic, text), ...headers },
      }
      return call('POST', `/v1/inbound/${shop.slug}/${system}`, sent, shop.service)
    },
  }
}

async function secretOf(shop: TestShop, system: ShopSystemName): Promise<string> {
  if (system === 'shopware') return (await installShopware(shop)).shopSecret ?? ''
  return (await shop.as('superadmin').get('/woocommerce/webhook-config')).body.webhook_secret
}

export function signed(system: ShopSystemName, secret: string, topic: string, text: string): Record<string, string> {
  const hmac = createHmac('sha256', secret).update(text)
  switch (system) {
    case 'shopify':
      return { 'x-shopify-topic': topic, 'x-shopify-hmac-sha256': hmac.digest('base64') }
    case 'woocommerce':
      return { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': hmac.digest('base64') }
    case 'shopware':
      return { 'shopware-shop-signature': hmac.digest('hex') }
  }
}

/** Values that a plug-in may put into any field of a message. */
export const awkward = [null, 0, -1, 1e300, '', '\u0000', '\ud800', [], {}, [null], true, 'x'.repeat(5_000)]

type Place = string[]

/** Every place in a payload. */
export function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  return [
    ...(place.length === 0 ? [] : [place]),
    ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...place, key])),
  ]
}

export function replaced(body: Payload, place: Place, value: unknown): Payload {
  const copy = structuredClone(body)
  const holder = place.slice(0, -1).reduce<Payload>((current, key) => current[key], copy)
  holder[place.at(-1) ?? ''] = value
  return copy
}
