import { type SubscriptionFailure, subscribe } from '../../adapters/shop-systems/shopify/subscriptions.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { findRegistration, insertRegistration, type RegistrationRow, updateRegistration } from './registration-store.ts'
import { topics, type WebhookTypeName } from './schema.ts'
import { getShopifyAccount, shopifyCall } from './shopify-account.ts'

/** Subscribes to one kind of event at Shopify and stores the registration. */
export async function registerWebhook(context: ShopContext, webhookType: WebhookTypeName): Promise<RegistrationRow> {
  if (await findRegistration(context, { column: 'webhook_type', value: webhookType })) throw exists(webhookType)
  const account = await getShopifyAccount(context)
  const topic = topics[webhookType]
  const hookUrl = inboundAddress(context, 'shopify')
  const response = await subscribe(shopifyCall(context), account, topic, hookUrl)
  if (response.result !== 'subscribed') throw subscriptionError(response)
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
  return row
}

/** Subscribes again to a registered topic whose subscription Shopify has deleted. */
export async function renewRegistration(
  context: ShopContext,
  { id, topic }: Pick<RegistrationRow, 'id' | 'topic'>,
): Promise<void> {
  const hookUrl = inboundAddress(context, 'shopify')
  const response = await subscribe(shopifyCall(context), await getShopifyAccount(context), topic, hookUrl)
  if (response.result !== 'subscribed') throw subscriptionError(response)
  await updateRegistration(context, id, { shopify_id: response.subscription.id, hook_url: hookUrl })
}

/** The address that a shop system sends its webhooks to. */
export function inboundAddress({ services, shop }: ShopContext, system: string): string {
  return `${services.publicUrl}/v1/inbound/${shop.slug}/${system}`
}

export function subscriptionError(failure: SubscriptionFailure): ApiError {
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
