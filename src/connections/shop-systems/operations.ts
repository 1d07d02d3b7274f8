import { unsubscribe } from '../../adapters/shop-systems/shopify/subscriptions.ts'
import { FormerSecret } from '../../credentials/integration-keys/schema.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { getInboundSecret, rotateInboundSecret } from '../../shops/settings/inbound-secret-store.ts'
import { registerWebhook, subscriptionError } from './register-webhook.ts'
import {
  deleteRegistration,
  findRegistration,
  listRegistrations,
  type RegistrationName,
  type RegistrationRow,
} from './registration-store.ts'
import {
  Registration,
  RegistrationCreation,
  WebhookConfig,
  WebhookConfigRotation,
  WebhookSecretUpdate,
  WebhookType,
  type WebhookTypeName,
} from './schema.ts'
import { getShopifyAccount, shopifyCall } from './shopify-account.ts'
import { putSystemSecret } from './store.ts'
import { renewWebhookSecrets } from './webhook-store.ts'

const area = 'Shop systems'

const auditedRegistration = { kind: 'shop_system_webhook', named: 'webhook_type' }

export const createRegistration = operation({
  name: 'createShopSystemWebhook',
  summary: 'Register a webhook with Shopify',
  description:
    "Subscribes to one kind of event through the shop's Admin API, with the access token of PUT /keys/shopify at `shop_admin_url`. Shopify signs what it sends with the client secret of the token's app: set that by PUT /shopify/webhook-secret.",
  area,
  route: 'POST /v1/shops/{slug}/shopify/webhooks',
  needs: 'admin',
  body: RegistrationCreation,
  reply: Registration,
  errors: ['webhook_exists', 'partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'],
  callsOut: true,
  audit: { ...auditedRegistration, read: (context, id) => findRegistration(context, { column: 'id', value: id }) },
  async handle(context, { body }) {
    return toRegistration(context, await registerWebhook(context, body.webhook_type))
  },
})

export const searchRegistrations = operation({
  name: 'listShopSystemWebhooks',
  summary: 'List the webhooks registered with Shopify',
  area,
  route: 'GET /v1/shops/{slug}/shopify/webhooks',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(Registration),
  async handle(context, { query }) {
    const page = await listRegistrations(context, query)
    return { ...page, items: page.items.map((row) => toRegistration(context, row)) }
  },
})

export const getRegistrationById = operation({
  name: 'getShopSystemWebhook',
  summary: 'Get a webhook registered with Shopify',
  area,
  route: 'GET /v1/shops/{slug}/shopify/webhooks/{uuid}',
  needs: 'viewer',
  reply: Registration,
  errors: ['webhook_not_found'],
  async handle(context, { path }) {
    return toRegistration(context, await getRegistration(context, { column: 'id', value: path.uuid }))
  },
})

export const getRegistrationByType = operation({
  name: 'getShopSystemWebhookByType',
  summary: 'Get the webhook of this type registered with Shopify',
  area,
  route: 'GET /v1/shops/{slug}/shopify/webhooks/type/{webhook_type}',
  needs: 'viewer',
  pathSchemas: { webhook_type: WebhookType },
  reply: Registration,
  errors: ['webhook_not_found'],
  async handle(context, { path }) {
    const name = { column: 'webhook_type' as const, value: path.webhook_type }
    return toRegistration(context, await getRegistration(context, name))
  },
})

export const deleteRegistrationById = operation({
  name: 'deleteShopSystemWebhook',
  summary: 'Delete a webhook registered with Shopify',
  description: 'Deletes it in Shopify and here; if Shopify no longer has it, only here.',
  area,
  route: 'DELETE /v1/shops/{slug}/shopify/webhooks/{uuid}',
  needs: 'admin',
  reply: NullReply,
  errors: ['webhook_not_found', 'partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'],
  callsOut: true,
  audit: { ...auditedRegistration, read: (context, id) => findRegistration(context, { column: 'id', value: id }) },
  handle: (context, { path }) => remove(context, { column: 'id', value: path.uuid }),
})

export const deleteRegistrationByType = operation({
  name: 'deleteShopSystemWebhookByType',
  summary: 'Delete the webhook of this type registered with Shopify',
  area,
  route: 'DELETE /v1/shops/{slug}/shopify/webhooks/type/{webhook_type}',
  needs: 'admin',
  pathSchemas: { webhook_type: WebhookType },
  reply: NullReply,
  errors: ['webhook_not_found', 'partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'],
  callsOut: true,
  audit: {
    ...auditedRegistration,
    read: (context, type) => findRegistration(context, { column: 'webhook_type', value: type }),
  },
  handle: (context, { path }) => remove(context, { column: 'webhook_type', value: path.webhook_type }),
})

export const setShopifySecret = operation({
  name: 'setShopifyWebhookSecret',
  summary: 'Set the secret that Shopify signs its webhooks with',
  description:
    "Shopify signs with the client secret of an app, or with the signing key shown below the webhooks of the store's settings: neither can be chosen. Messages signed with this secret or with the shop's own webhook secret are accepted, and for `former_valid_hours` those signed with the one that it replaces; null removes both.",
  area,
  route: 'PUT /v1/shops/{slug}/shopify/webhook-secret',
  needs: 'admin',
  query: FormerSecret,
  body: WebhookSecretUpdate,
  reply: NullReply,
  audit: { kind: 'webhook_secret', id: () => 'shopify', outcome: (_context, { body }) => body },
  async handle(context, { body, query }) {
    const until = after(context.now, (query.former_valid_hours ?? 24) * hourMs)
    await putSystemSecret(context, 'shopify', body.webhook_secret, until)
    return null
  },
})

export const getWebhookConfig = operation({
  name: 'getWebhookConfig',
  summary: 'Get the secret that shop systems sign their webhooks with',
  description: 'Created on the first request. Enter it in the shop system as the secret of its webhooks.',
  area,
  route: 'GET /v1/shops/{slug}/woocommerce/webhook-config',
  needs: 'admin',
  reply: WebhookConfig,
  async handle(context) {
    return { webhook_secret: await getInboundSecret(context, context.shop.id) }
  },
})

export const rotateWebhookConfig = operation({
  name: 'rotateWebhookConfigSecret',
  summary: 'Rotate the secret that shop systems and mail providers sign with',
  description:
    'The response contains the new secret. For `former_valid_hours` messages that are signed with the former one are accepted, too; enter the new one in the shop system and in the hooks of the mail provider meanwhile. Webhooks of WooCommerce that were created from here are given it within a minute.',
  area,
  route: 'POST /v1/shops/{slug}/woocommerce/webhook-config/rotate-secret',
  needs: 'admin',
  body: WebhookConfigRotation,
  isBodyOptional: true,
  reply: WebhookConfig,
  audit: { kind: 'webhook_secret', id: () => 'inbound', isAct: true },
  async handle(context, { body }) {
    const until = after(context.now, (body.former_valid_hours ?? 24) * hourMs)
    const secret = await rotateInboundSecret(context, context.shop.id, until)
    await renewWebhookSecrets(context)
    wakeOnceCommitted(context, 'webhookChecks')
    return { webhook_secret: secret }
  },
})

async function remove(context: ShopContext, name: RegistrationName): Promise<null> {
  const registration = await getRegistration(context, name)
  const response = await unsubscribe(shopifyCall(context), await getShopifyAccount(context), registration.shopify_id)
  if (response.result !== 'unsubscribed') throw subscriptionError(response)
  await deleteRegistration(context, registration.id)
  return null
}

async function getRegistration(context: ShopContext, name: RegistrationName): Promise<RegistrationRow> {
  const registration = await findRegistration(context, name)
  if (registration === undefined) {
    throw new ApiError('webhook_not_found', `This shop has no webhook ${name.value} registered with Shopify.`)
  }
  return registration
}

function toRegistration(context: ShopContext, row: RegistrationRow): Registration {
  const words = row.webhook_type.replaceAll('-', ' ')
  return {
    webhook_type: row.webhook_type as WebhookTypeName, // the schema allows only these
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    uuid: row.id,
    shop_slug: context.shop.slug,
    name: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    shopify_id: Number.isSafeInteger(Number(row.shopify_id)) ? Number(row.shopify_id) : row.shopify_id,
    topic: row.topic,
    hook_url: row.hook_url,
    fields: row.fields,
  }
}
