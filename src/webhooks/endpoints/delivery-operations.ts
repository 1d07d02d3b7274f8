import { toDelivery } from '../../delivery/log/present.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  Recovered,
  Recovery,
  ResendRequest,
  Resent,
  type SentRequest,
  ShopDeliveryFilter,
  type Verification,
} from '../../delivery/log/schema.ts'
import {
  getDelivery,
  listDeliveries,
  requeueDead,
  requeueDeliveries,
  type StoredDelivery,
} from '../../delivery/log/store.ts'
import { probeSoon } from '../../delivery/queue/circuit-store.ts'
import { isAddress } from '../../delivery/queue/delivery.ts'
import { hidePath } from '../../delivery/queue/sealed-address.ts'
import { wake } from '../../delivery/queue/wake-store.ts'
import { openHeaders } from '../../delivery/sending/custom-headers.ts'
import {
  openKeys,
  plainHeaders,
  signatureHeaders,
  timestampOf,
  unsignedHeaders,
} from '../../delivery/sending/signature.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { instant, type Static } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { addressOf } from './address.ts'
import { auditedEndpoint } from './audit.ts'
import { type EndpointRow, findEndpoint } from './store.ts'

/** The number of dead letters that one call makes due again; a second call handles the next. */
const recoverAtMost = 10_000

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description: 'Newest first, each with its attempts.',
  area: 'Deliveries',
  route: 'GET /v1/shops/{slug}/webhooks/{uuid}/deliveries',
  needs: 'admin',
  query: DeliveryFilter,
  reply: PageOf(Delivery),
  errors: ['webhook_not_found'],
  async handle(context, { path, query }) {
    await checkEndpoint(context, path.uuid)
    const page = await listDeliveries(context, path.uuid, query)
    return { ...page, items: page.items.map((delivery) => toDelivery(context, delivery)) }
  },
})

export const searchDeliveries = operation({
  name: 'searchDeliveries',
  summary: 'Search the deliveries to all receivers of a shop',
  description:
    'Webhook endpoints, integrations and addresses that automations name. Newest first, each with its attempts.',
  area: 'Deliveries',
  route: 'GET /v1/shops/{slug}/deliveries',
  needs: 'admin',
  query: ShopDeliveryFilter,
  reply: PageOf(Delivery),
  async handle(context, { query }) {
    const { webhook_id, integration, ...filter } = query
    if (webhook_id !== undefined && integration !== undefined) {
      throw invalid(['query', 'integration'], 'a delivery has one receiver: give webhook_id or integration')
    }
    const page = await listDeliveries(context, webhook_id ?? integration, filter)
    return { ...page, items: page.items.map((delivery) => toDelivery(context, delivery)) }
  },
})

export const getDeliveryById = operation({
  name: 'getDelivery',
  summary: 'Get a delivery with its attempts, requests and payload',
  description:
    'Each attempt to a webhook has its request as it was sent, with its signatures: they are computed again from the stored body and the time of the attempt.',
  area: 'Deliveries',
  route: 'GET /v1/shops/{slug}/deliveries/{delivery_id}',
  needs: 'admin',
  reply: DeliveryDetail,
  errors: ['delivery_not_found'],
  async handle(context, { path }) {
    const delivery = await getDelivery(context, path.delivery_id)
    const endpoint = isUuid(delivery.receiverId) ? await findEndpoint(context, delivery.receiverId) : undefined
    return toDeliveryDetail(context, delivery, endpoint)
  },
})

export const resendDelivery = operation({
  name: 'resendDelivery',
  summary: 'Send a delivery again',
  description: 'Whatever its status is. It has the same webhook-id, so that the receiver recognises it.',
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/deliveries/{delivery_id}/resend',
  needs: 'admin',
  reply: Delivery,
  errors: ['delivery_not_found'],
  audit: { kind: 'delivery' },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await resend(context, [path.delivery_id])
      return toDelivery(context, await getDelivery(context, path.delivery_id))
    }),
})

export const resendDeliveries = operation({
  name: 'resendDeliveries',
  summary: 'Send chosen deliveries again',
  description: 'Up to 100, whatever their status is; like resending each of them.',
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/deliveries/resend',
  needs: 'admin',
  body: ResendRequest,
  reply: Resent,
  audit: { kind: 'delivery', outcome: (_context, { body }) => ({ deliveries: body.deliveries }) },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const found = await resend(context, body.deliveries)
      return { resent: found.size, not_found: body.deliveries.filter((id) => !found.has(id.toLowerCase())) }
    }),
})

export const recoverDeliveries = operation({
  name: 'recoverDeliveries',
  summary: 'Send the dead letters of a webhook endpoint again',
  description: `Those created since the given time, newest first, ${recoverAtMost} at most.`,
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/webhooks/{uuid}/recover',
  needs: 'admin',
  body: Recovery,
  reply: Recovered,
  errors: ['webhook_not_found'],
  audit: {
    ...auditedEndpoint,
    isAct: true,
    outcome: (_context, { body }, reply) => ({ since: body.since, ...(reply.body as Static<typeof Recovered>) }),
  },
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await checkEndpoint(context, path.uuid)
      const recovered = await requeueDead(context, path.uuid, instant(body.since), recoverAtMost)
      if (recovered > 0) await probeSoon(context, [path.uuid])
      if (recovered > 0) await wake(context, [{ shopId: context.shop.id, receiverId: path.uuid }])
      return { recovered }
    }),
})

/** Makes deliveries due and wakes their workers; returns the ids of those that were requeued. */
async function resend(context: ShopContext, ids: readonly string[]): Promise<Set<string>> {
  const requeued = await requeueDeliveries(context, ids)
  const receivers = new Map(requeued.map(({ shopId, receiverId }) => [receiverId, { shopId, receiverId }]))
  await probeSoon(context, [...receivers.keys()])
  await wake(context, [...receivers.values()])
  return new Set(requeued.map(({ id }) => id))
}

async function checkEndpoint(context: ShopContext, id: string): Promise<void> {
  if ((await findEndpoint(context, id)) === undefined) {
    throw new ApiError('webhook_not_found', `This shop has no webhook endpoint ${id}.`)
  }
}

/** A delivery with the request of every attempt; without the endpoint if it was deleted, or the receiver is none. */
function toDeliveryDetail(
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
  { id, receiverId, body, is_erased }: StoredDelivery,
  attempt: Delivery['attempts'][number],
  endpoint: EndpointRow | undefined,
): SentRequest | null {
  const url = endpoint ? addressOf(context, endpoint) : isAddress(receiverId) ? receiverId : undefined
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
