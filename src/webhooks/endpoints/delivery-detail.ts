import { toDelivery } from '../../delivery/log/present.ts'
import type { Delivery, DeliveryDetail, SentRequest, Verification } from '../../delivery/log/schema.ts'
import type { StoredDelivery } from '../../delivery/log/store.ts'
import { isAddress } from '../../delivery/queue/delivery.ts'
import { hidePath } from '../../delivery/queue/sealed-address.ts'
import { openHeaders } from '../../delivery/sending/custom-headers.ts'
import {
  openKeys,
  plainHeaders,
  signatureHeaders,
  timestampOf,
  unsignedHeaders,
} from '../../delivery/sending/signature.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { addressOf } from './address.ts'
import type { EndpointRow } from './store.ts'

/** A delivery with the request of every attempt; without the endpoint if it was deleted, or the receiver is none. */
export function toDeliveryDetail(
  context: ShopContext,
  stored: StoredDelivery,
  endpoint: EndpointRow | undefined,
): DeliveryDetail {
  const delivery = toDelivery(context, stored)
  return {
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      request: toRequest(context, stored, attempt, endpoint),
    })),
    payload: JSON.parse(stored.body) as Record<string, unknown>, // written by us
    body: stored.body,
    verification: endpoint === undefined ? [] : verificationOf(context.services.brand),
  }
}

/** The request of an attempt, made again as it was sent. Null if nothing was sent, or an adapter made the request. */
function toRequest(
  context: ShopContext,
  { id, target, body, is_erased }: StoredDelivery,
  attempt: Delivery['attempts'][number],
  endpoint: EndpointRow | undefined,
): SentRequest | null {
  const url = endpoint ? addressOf(context, endpoint) : isAddress(target) ? target : undefined
  if (url === undefined) return null
  const startedAt = new Date(attempt.started_at)
  const bytes = Buffer.from(body)
  const isSecretKnown = endpoint === undefined || startedAt >= endpoint.secret_since
  const message = { id, timestamp: timestampOf(startedAt), body: bytes }
  const proof =
    endpoint && isSecretKnown
      ? signatureHeaders(context.services.brand, openKeys(context, toSealed(endpoint), startedAt), message)
      : unsignedHeaders(message)
  return {
    method: 'POST',
    url: hidePath(url),
    headers: {
      ...(URL.canParse(url) ? { host: new URL(url).host } : {}),
      ...hiddenHeaders(context, endpoint),
      ...plainHeaders,
      'content-length': String(bytes.length),
      ...proof,
    },
    changed_since: [
      ...(endpoint && startedAt < endpoint.url_since ? ['url' as const] : []),
      ...(isSecretKnown ? [] : ['secret' as const]),
      ...(endpoint?.headers_since && startedAt < endpoint.headers_since ? ['headers' as const] : []),
      ...(is_erased ? ['body' as const] : []),
    ],
  }
}

/** The endpoint's own headers, without their values. */
function hiddenHeaders(context: ShopContext, endpoint: EndpointRow | undefined): Record<string, string> {
  if (endpoint === undefined) return {}
  const { shop_id: shopId, id, headers } = endpoint
  return Object.fromEntries(openHeaders(context, { shopId, id, headers }).map(({ name }) => [name, '***']))
}

function toSealed({ shop_id, id, secret, former_secret, former_secret_until }: EndpointRow) {
  return { shopId: shop_id, id, secret, formerSecret: former_secret, formerSecretUntil: former_secret_until }
}

function verificationOf(brand: string): Verification[] {
  return [
    {
      header: `${brand}-Signature`,
      algorithm: 'HMAC-SHA256',
      encoding: 'hex',
      signed: '{t}.{body}',
      format: 't={timestamp},v1={signature}',
    },
    {
      header: 'webhook-signature',
      algorithm: 'HMAC-SHA256',
      encoding: 'base64',
      signed: '{webhook-id}.{webhook-timestamp}.{body}',
      format: 'v1,{signature}',
    },
  ]
}
