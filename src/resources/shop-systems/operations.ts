import type { Call } from '../../foundation/call.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { guardCredentials } from '../../foundation/credential-hosts.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { operation, PagedQuery } from '../../foundation/operation.ts'
import { PageOf } from '../../foundation/page.ts'
import { NullReply } from '../../foundation/schema.ts'
import {
  type ShopifyAccount,
  type SubscriptionFailure,
  subscribe,
  unsubscribe,
} from '../../shop-systems/shopify/subscriptions.ts'
import { findShopUrl, shopifyHosts } from '../../vendors/shopify-admin.ts'
import { findIntegrationAccount } from '../integration-keys/account.ts'
import { getInboundSecret } from '../settings/inbound-secret-store.ts'
import {
  deleteRegistration,
  findRegistration,
  insertRegistration,
  listRegistrations,
  type RegistrationName,
  type RegistrationRow,
} from './registration-store.ts'
import {
  Registration,
  RegistrationCreation,
  topics,
  WebhookConfig,
  WebhookSecretUpdate,
  WebhookType,
  type WebhookTypeName,
} from './schema.ts'
import { putSystemSecret } from './store.ts'

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
    const webhookType = body.webhook_type
    if (await findRegistration(context, { column: 'webhook_type', value: webhookType })) throw exists(webhookType)
    const account = await getAccount(context)
    const topic = topics[webhookType]
    const hookUrl = `${context.services.publicUrl}/v1/inbound/${context.shop.slug}/shopify`
    const response = await subscribe(shopifyCall(context), account, topic, hookUrl)
    if (response.result !== 'subscribed') throw errorOf(response)
    const row: RegistrationRow = {
      shop_id: context.shop.id,
      id: newId(context.now),
      webhook_type: webhookType,
      shopify_id: response.subscription.id,
      topic,
      hook_url: hookUrl,
      fields: response.subscription.fields,
      created_at: context.now,
      updated_at: context.now,
    }
    if (!(await insertRegistration(context, row))) throw exists(webhookType)
    return toRegistration(context, row)
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
    "Shopify signs with the client secret of an app, or with the signing key shown below the webhooks of the store's settings: neither can be chosen. Messages signed with this secret or with the shop's own webhook secret are accepted; null removes it.",
  area,
  route: 'PUT /v1/shops/{slug}/shopify/webhook-secret',
  needs: 'admin',
  body: WebhookSecretUpdate,
  reply: NullReply,
  audit: { kind: 'webhook_secret', id: () => 'shopify', outcome: (_context, { body }) => body },
  async handle(context, { body }) {
    await putSystemSecret(context, context.shop.id, 'shopify', body.webhook_secret)
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

async function remove(context: ShopContext, name: RegistrationName): Promise<null> {
  const registration = await getRegistration(context, name)
  const response = await unsubscribe(shopifyCall(context), await getAccount(context), registration.shopify_id)
  if (response.result !== 'unsubscribed') throw errorOf(response)
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

function shopifyCall({ services }: ShopContext): Call {
  return guardCredentials(services.call, { system: 'Shopify', hosts: shopifyHosts }, services.credentialHosts)
}

async function getAccount(context: ShopContext): Promise<ShopifyAccount> {
  const found = await findIntegrationAccount(context, context.shop.id, 'shopify')
  if (found.state === 'wrong host') throw invalid(['shop', 'shop_admin_url'], found.reason)
  if (found.state === 'set aside') throw new ApiError('partner_key_not_found', found.reason)
  const credentials = found.state === 'ready' ? found.account.credentials : undefined
  if (credentials === undefined || !('api_key' in credentials)) {
    throw new ApiError('partner_key_not_found', 'Set the access token of the shop first: PUT /keys/shopify.')
  }
  const shopUrl = findShopUrl(context.shop.shop_admin_url)
  if (shopUrl === undefined) {
    throw invalid(['shop', 'shop_admin_url'], 'must be the address of the shop, https://<shop>.myshopify.com')
  }
  return { shopUrl, accessToken: credentials.api_key }
}

function errorOf(failure: SubscriptionFailure): ApiError {
  if (failure.result === 'rejected') {
    return new ApiError(
      failure.key,
      'Shopify does not allow this with the access token. Grant it read_orders, read_fulfillments and read_products.',
    )
  }
  return new ApiError(failure.key, `Shopify could not be called: ${failure.detail}. Try again later.`)
}

function exists(webhookType: string): ApiError {
  return new ApiError('webhook_exists', `This shop already has the webhook ${webhookType} registered with Shopify.`)
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
