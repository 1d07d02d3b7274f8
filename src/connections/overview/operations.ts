import { ApiError, rateLimited } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { registerWebhook } from '../shop-systems/register-webhook.ts'
import { listTopics } from '../shop-systems/registration-store.ts'
import { topics, type WebhookTypeName } from '../shop-systems/schema.ts'
import { getShopifyAccount } from '../shop-systems/shopify-account.ts'
import { endWebhookRun, isShopSystem, leaseWebhooks } from '../shop-systems/webhook-store.ts'
import { getWooCommerceAccount } from '../shop-systems/woocommerce-account.ts'
import { checkConnection } from './check.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { readConnections } from './overview.ts'
import { ConnectionCheck, type ConnectionName, Connections, connectionPath, WebhookRegistrations } from './schema.ts'
import { putCheck } from './store.ts'
import { putWooCommerceWebhooks } from './woocommerce-webhooks.ts'

const area = 'Connections'

export const getConnections = operation({
  name: 'getConnections',
  summary: 'Get the state of all connections to other systems',
  description: 'Shop systems, tracking providers and marketing systems, as far as it is known without calling them.',
  area,
  route: 'GET /v1/shops/{slug}/connections',
  needs: 'viewer',
  reply: Connections,
  handle: (context) => readConnections(context),
})

export const checkConnectionByName = operation({
  name: 'checkConnection',
  summary: 'Check a connection with its stored credentials',
  description:
    "Makes a call that reads and changes nothing, and returns what it found. A failure is not an error: `result` says why. The result becomes part of the connection's state.",
  area,
  route: 'POST /v1/shops/{slug}/connections/{name}/check',
  needs: 'admin',
  pathSchemas: connectionPath,
  reply: ConnectionCheck,
  callsOut: true,
  audit: { none: 'It reads from the other system and changes nothing.' },
  async handle(context, { path }) {
    const name = path.name as ConnectionName // its schema allows only these
    const outcome = await checkConnection(context, name)
    await putCheck(context, name, outcome)
    if (outcome.result === 'ok' && isShopSystem(name)) await checkWebhooks(context, name, 'read')
    return {
      name,
      result: outcome.result,
      reason: outcome.reason,
      status: outcome.status,
      detail: outcome.detail,
      facts: outcome.facts,
      missing_permissions: outcome.missingPermissions,
      checked_at: context.now.toISOString(),
    }
  },
})

export const registerAllWebhooks = operation({
  name: 'registerShopifyWebhooks',
  summary: 'Register all webhooks with Shopify',
  description:
    'Registers every topic that is missing, with the access token of PUT /keys/shopify at `shop_admin_url`. Can be repeated: what is registered stays.',
  area,
  route: 'POST /v1/shops/{slug}/connections/shopify/webhooks',
  needs: 'admin',
  reply: WebhookRegistrations,
  errors: ['partner_key_not_found'],
  callsOut: true,
  audit: {
    kind: 'shop_system_webhook',
    id: () => 'shopify',
    isRecordedAfter: true,
    outcome: (_context, _input, { body }) => body as object, // its own reply
  },
  async handle(context) {
    await getShopifyAccount(context)
    const known = await listTopics(context)
    const missing = Object.entries(topics).filter(([, topic]) => !known.includes(topic))
    const failed: { topic: string; message: string }[] = []
    let unreachable: ApiError | undefined
    for (const [type, topic] of missing) {
      try {
        // Each call may take ten seconds: after one without a response, the others are not made.
        if (unreachable) throw unreachable
        await registerWebhook(context, type as WebhookTypeName) // a key of topics
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // Another request has registered it meanwhile.
        if (error.key === 'webhook_exists') continue
        if (error.key === 'bad_gateway') unreachable = error
        failed.push({ topic, message: error.message })
      }
    }
    await checkWebhooks(context, 'shopify', 'repair')
    return { registered: await listTopics(context), failed }
  },
})

export const registerWooCommerceWebhooks = operation({
  name: 'registerWooCommerceWebhooks',
  summary: 'Create all webhooks in WooCommerce',
  description:
    "Creates the webhooks of orders and products with the key of PUT /keys/woocommerce, which needs the permission Read/Write, and the shop's webhook secret. Can be repeated: one that sends to this service stays, is activated if it was paused or disabled, and is given the current secret. From then on, one that is disabled or deleted is noticed and repaired within half an hour.",
  area,
  route: 'POST /v1/shops/{slug}/connections/woocommerce/webhooks',
  needs: 'admin',
  reply: WebhookRegistrations,
  errors: ['partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'],
  callsOut: true,
  audit: {
    kind: 'shop_system_webhook',
    id: () => 'woocommerce',
    isRecordedAfter: true,
    outcome: (_context, _input, { body }) => body as object, // its own reply
  },
  async handle(context) {
    const account = await getWooCommerceAccount(context)
    const row = await leaseWebhooks(context, 'woocommerce')
    if (row === undefined) throw rateLimited('The webhooks are being created at this moment.', 5)
    const { topics: found, failed, failure } = await putWooCommerceWebhooks(context, account, 'all')
    const problem = failure ?? failed[0]
    const isManaged = failed.length === 0 && failure === undefined
    await endWebhookRun(context, row, {
      topics: found,
      problem: problem?.message ?? null,
      isDone: problem?.key !== 'bad_gateway',
      isManaged,
    })
    if (failure !== undefined) throw new ApiError(failure.key, failure.message)
    return { registered: found?.sending ?? [], failed: failed.map(({ topic, message }) => ({ topic, message })) }
  },
})
