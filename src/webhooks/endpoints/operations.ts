import { toDelivery } from '../../delivery/log/present.ts'
import { Delivery } from '../../delivery/log/schema.ts'
import { getDelivery } from '../../delivery/log/store.ts'
import { probeSoon } from '../../delivery/queue/circuit-store.ts'
import { toHealth } from '../../delivery/queue/health-present.ts'
import { deleteHealth, findHealth, type StoredHealth } from '../../delivery/queue/health-store.ts'
import { wake } from '../../delivery/queue/wake-store.ts'
import { type Condition, toStoredConditions } from '../../delivery/receivers/conditions.ts'
import { openHeaders, sealHeaders } from '../../delivery/sending/custom-headers.ts'
import { secretPurpose } from '../../delivery/sending/signature.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId, randomText } from '../../platform/foundation/ids.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { isDuplicate } from '../../platform/store/errors.ts'
import { publishTest } from '../payloads/publish-test.ts'
import { addressOf, toStoredAddress } from './address.ts'
import { auditedEndpoint } from './audit.ts'
import { changesOf, checkEndpoint, type EndpointChanges, mergeHeaders } from './rules.ts'
import { Endpoint, EndpointCreation, EndpointFilter, EndpointUpdate } from './schema.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  hasEndpointFor,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from './store.ts'

/** How long the previous secret still signs next to the new one after a rotation. */
const changeoverMs = dayMs

export const createWebhook = operation({
  name: 'createWebhook',
  summary: 'Create a webhook endpoint',
  description:
    'The response contains the secret that signs its deliveries: store it. It is generated if none is given.',
  area: 'Webhooks',
  route: 'POST /v1/shops/{slug}/webhooks',
  needs: 'admin',
  body: EndpointCreation,
  reply: Endpoint,
  errors: ['webhook_exists'],
  audit: auditedEndpoint,
  async handle(context, { body }) {
    checkEndpoint(body)
    const headers = mergeHeaders(body.headers ?? [], [])
    const id = newId(context.now)
    const secret = body.secret ?? randomText(40)
    const row: EndpointRow = {
      shop_id: context.shop.id,
      id,
      ...(await toStoredAddress(context, id, body.url)),
      enabled_events: body.enabled_events ?? ['*'],
      secret: context.services.vault.seal(secret, secretPurpose(context.shop.id, id)),
      former_secret: null,
      former_secret_until: null,
      description: body.description ?? null,
      status: body.status ?? 'active',
      failing_since: null,
      url_since: context.now,
      secret_since: context.now,
      conditions: body.conditions?.length ? toStoredConditions(body.conditions) : null,
      headers: sealHeaders(context, { shopId: context.shop.id, id }, headers),
      headers_since: headers.length === 0 ? null : context.now,
      circuit_opened_at: null,
      probe_at: null,
      probes: 0,
      created_at: context.now,
      updated_at: context.now,
    }
    if (await hasEndpointFor(context, body.url)) throw exists()
    if (!(await insertEndpoint(context, row))) throw exists()
    return toEndpoint(context, row, undefined, secret)
  },
})

export const searchWebhooks = operation({
  name: 'searchWebhooks',
  summary: 'Search webhook endpoints',
  area: 'Webhooks',
  route: 'GET /v1/shops/{slug}/webhooks',
  needs: 'admin',
  query: EndpointFilter,
  reply: PageOf(Endpoint),
  async handle(context, { query }) {
    const page = await listEndpoints(context, query)
    const health = await findHealth(
      context,
      page.items.map(({ id }) => id),
    )
    return { ...page, items: page.items.map((row) => toEndpoint(context, row, health.get(row.id))) }
  },
})

export const getWebhook = operation({
  name: 'getWebhook',
  summary: 'Get a webhook endpoint',
  area: 'Webhooks',
  route: 'GET /v1/shops/{slug}/webhooks/{uuid}',
  needs: 'admin',
  reply: Endpoint,
  errors: ['webhook_not_found'],
  async handle(context, { path }) {
    return presentEndpoint(context, await getEndpoint(context, path.uuid))
  },
})

export const updateWebhook = operation({
  name: 'updateWebhook',
  summary: 'Update a webhook endpoint',
  description:
    'Only the fields that are given change. An endpoint that is switched off keeps its filters and its secret, and is sent nothing.',
  area: 'Webhooks',
  route: 'PATCH /v1/shops/{slug}/webhooks/{uuid}',
  needs: 'admin',
  body: EndpointUpdate,
  reply: NullReply,
  errors: ['webhook_not_found', 'webhook_exists'],
  audit: auditedEndpoint,
  async handle(context, { path, body }) {
    checkEndpoint(body)
    try {
      await inTransaction(context, async (context) => {
        const known = await getEndpoint(context, path.uuid)
        const changes = await changesOf(context, known, body)
        if (changes.url !== undefined && (await hasEndpointFor(context, body.url ?? ''))) throw exists()
        await updateEndpoint(context, path.uuid, { ...changes, updated_at: context.now })
        await probeChanged(context, known, changes)
      })
    } catch (error) {
      if (isDuplicate(error, 'webhook_endpoints_url')) throw exists()
      throw error
    }
    return null
  },
})

export const deleteWebhook = operation({
  name: 'deleteWebhook',
  summary: 'Delete a webhook endpoint',
  description: 'Deliveries that are still queued for it are not sent.',
  area: 'Webhooks',
  route: 'DELETE /v1/shops/{slug}/webhooks/{uuid}',
  needs: 'admin',
  reply: NullReply,
  errors: ['webhook_not_found'],
  audit: auditedEndpoint,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      if (!(await deleteEndpoint(context, path.uuid))) throw notFound(path.uuid)
      await deleteHealth(context, path.uuid)
      return null
    }),
})

export const rotateWebhookSecret = operation({
  name: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'The response contains the new secret. For 24 hours deliveries are signed with both, newest first.',
  area: 'Webhooks',
  route: 'POST /v1/shops/{slug}/webhooks/{uuid}/rotate-secret',
  needs: 'admin',
  reply: Endpoint,
  errors: ['webhook_not_found'],
  audit: { ...auditedEndpoint, isAct: true },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const known = await getEndpoint(context, path.uuid)
      const secret = randomText(40)
      const changes = {
        secret: context.services.vault.seal(secret, secretPurpose(context.shop.id, path.uuid)),
        former_secret: known.secret,
        former_secret_until: after(context.now, changeoverMs),
        secret_since: context.now,
        updated_at: context.now,
      }
      await updateEndpoint(context, path.uuid, changes)
      return presentEndpoint(context, { ...known, ...changes }, secret)
    }),
})

export const testWebhook = operation({
  name: 'testWebhook',
  summary: 'Send a test event to a webhook endpoint',
  description: 'Queues a sample event like any other and returns its delivery, which can be polled.',
  area: 'Webhooks',
  route: 'POST /v1/shops/{slug}/webhooks/{uuid}/test',
  needs: 'admin',
  reply: Delivery,
  errors: ['webhook_not_found'],
  audit: { ...auditedEndpoint, isAct: true },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const endpoint = await getEndpoint(context, path.uuid)
      await probeSoon(context, [endpoint.id])
      return toDelivery(context, await getDelivery(context, await publishTest(context, endpoint.id)))
    }),
})

/** Probes an endpoint with an open circuit at once if the merchant has changed a setting that could be wrong. */
async function probeChanged(context: ShopContext, known: EndpointRow, changes: EndpointChanges): Promise<void> {
  if (known.circuit_opened_at === null) return
  const isFixed = changes.url_since ?? changes.headers_since ?? (changes.status === 'active' ? context.now : undefined)
  if (!isFixed) return
  await probeSoon(context, [known.id])
  await wake(context, [{ shopId: context.shop.id, receiverId: known.id }])
}

async function getEndpoint(context: ShopContext, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(context, id)
  if (endpoint === undefined) throw notFound(id)
  return endpoint
}

function notFound(id: string): ApiError {
  return new ApiError('webhook_not_found', `This shop has no webhook endpoint ${id}.`)
}

function exists(): ApiError {
  return new ApiError('webhook_exists', 'This shop has a webhook endpoint for this address already.')
}

async function presentEndpoint(context: ShopContext, row: EndpointRow, secret?: string): Promise<Endpoint> {
  const health = await findHealth(context, [row.id])
  return toEndpoint(context, row, health.get(row.id), secret)
}

function toEndpoint(
  context: ShopContext,
  row: EndpointRow,
  health: StoredHealth | undefined,
  secret: string | null = null,
): Endpoint {
  return {
    uuid: row.id,
    shop_slug: context.shop.slug,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    url: addressOf(context, row),
    enabled_events: row.enabled_events,
    secret,
    description: row.description,
    status: row.status as Endpoint['status'], // the schema allows only these
    conditions: (row.conditions ?? []) as Condition[], // only checked ones are stored
    headers: openHeaders(context, { shopId: row.shop_id, id: row.id, headers: row.headers }).map(({ name }) => ({
      name,
      value: null,
    })),
    health: toHealth(health, { isOn: row.status === 'active' }),
    circuit: toCircuit(row),
  }
}

function toCircuit({ circuit_opened_at, probe_at, probes }: EndpointRow): Endpoint['circuit'] {
  if (circuit_opened_at === null || probe_at === null) return null
  return { opened_at: circuit_opened_at.toISOString(), next_attempt_at: probe_at.toISOString(), attempts: probes }
}
