import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { isRecord } from '../../../platform/foundation/read-json.ts'
import { cutText } from '../../../platform/foundation/storable-text.ts'
import { type AdminDocument, adminRequest, readAdminResponse } from '../../vendors/shopify-admin.ts'

/** The shop whose Admin API is called, and its access token. */
export interface ShopifyAccount {
  shopUrl: string
  accessToken: string
}

export interface Subscription {
  /** Shopify's id, which may exceed the integers that JavaScript represents exactly. */
  id: string
  /** The fields to send; empty: all. */
  fields: string[]
}

export type SubscriptionFailure =
  | { result: 'rejected'; key: 'partner_key_missing_permissions' }
  | { result: 'failed'; key: 'bad_gateway'; detail: string }

const created = `mutation subscribe($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
    webhookSubscription { id includeFields }
    userErrors { field message }
  }
}`

const found = `query findSubscriptions($topics: [WebhookSubscriptionTopic!], $uri: String) {
  webhookSubscriptions(first: 1, topics: $topics, uri: $uri) { nodes { id includeFields } }
}`

/** More than there are topics. */
const listed = `query listSubscriptions($uri: String) {
  webhookSubscriptions(first: 100, uri: $uri) { nodes { topic } }
}`

const deleted = `mutation unsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) {
    deletedWebhookSubscriptionId
    userErrors { field message }
  }
}`

/**
 * Subscribes a URL to a topic. Reuses an existing subscription, left by an attempt whose reply was lost: Shopify would
 * reject a second one.
 */
export async function subscribe(
  call: Call,
  account: ShopifyAccount,
  topic: string,
  uri: string,
): Promise<{ result: 'subscribed'; subscription: Subscription } | SubscriptionFailure> {
  const name = enumName(topic)
  const variables = { topic: name, webhookSubscription: { uri, format: 'JSON' } }
  const response = await execute(call, account, { query: created, variables })
  if (response.result !== 'data') return response
  const payload = fieldsOf(response.data.webhookSubscriptionCreate)
  const messages = userErrors(payload)
  const subscription = readSubscription(payload.webhookSubscription)
  if (messages.length === 0 && subscription) return { result: 'subscribed', subscription }
  if (messages.some((message) => /already been taken/i.test(message))) return takeOver(call, account, name, uri)
  // The topics that a token may subscribe to depend on its scopes.
  if (messages.some((message) => /cannot create a webhook subscription|access|scope|permission/i.test(message))) {
    return { result: 'rejected', key: 'partner_key_missing_permissions' }
  }
  return failed(messages[0] ?? 'a response without a subscription')
}

/** The topics that the app of the token has subscribed this URL to. */
export async function listSubscribed(
  call: Call,
  account: ShopifyAccount,
  uri: string,
): Promise<{ result: 'found'; topics: string[] } | SubscriptionFailure> {
  const response = await execute(call, account, { query: listed, variables: { uri } })
  if (response.result !== 'data') return response
  const { nodes } = fieldsOf(response.data.webhookSubscriptions)
  if (!Array.isArray(nodes)) return failed('an unreadable response')
  return { result: 'found', topics: nodes.map((node) => String(fieldsOf(node).topic)) }
}

/** A subscription that no longer exists counts as deleted. */
export async function unsubscribe(
  call: Call,
  account: ShopifyAccount,
  id: string,
): Promise<{ result: 'unsubscribed' } | SubscriptionFailure> {
  const variables = { id: `gid://shopify/WebhookSubscription/${id}` }
  const response = await execute(call, account, { query: deleted, variables })
  if (response.result !== 'data') return response
  const messages = userErrors(fieldsOf(response.data.webhookSubscriptionDelete))
  const isGone = messages.every((message) => /not (be )?found|does not exist|doesn't exist/i.test(message))
  return isGone ? { result: 'unsubscribed' } : failed(messages[0] ?? 'an unreadable response')
}

async function takeOver(
  call: Call,
  account: ShopifyAccount,
  topic: string,
  uri: string,
): Promise<{ result: 'subscribed'; subscription: Subscription } | SubscriptionFailure> {
  const response = await execute(call, account, { query: found, variables: { topics: [topic], uri } })
  if (response.result !== 'data') return response
  const { nodes } = fieldsOf(response.data.webhookSubscriptions)
  const subscription = readSubscription(Array.isArray(nodes) ? nodes[0] : undefined)
  return subscription ? { result: 'subscribed', subscription } : failed('the address is taken by another app')
}

async function execute(
  call: Call,
  account: ShopifyAccount,
  document: AdminDocument,
): Promise<{ result: 'data'; data: Record<string, unknown> } | SubscriptionFailure> {
  let response: CallResponse
  try {
    response = await call(adminRequest(account.shopUrl, account.accessToken, document))
  } catch (error) {
    // A call throws if there was no reply: connection refused, timeout, unknown host, or a blocked address.
    return failed((error as Error).message)
  }
  const { status } = response
  // Their message may be shown, and might contain the token.
  const body = response.body.replaceAll(account.accessToken, '***')
  if (status === 401 || status === 403) return { result: 'rejected', key: 'partner_key_missing_permissions' }
  if (status < 200 || status > 299) return failed(`status ${status}`)
  const read = readAdminResponse(body)
  switch (read.result) {
    case 'data':
      return read
    case 'denied':
      return { result: 'rejected', key: 'partner_key_missing_permissions' }
    case 'throttled':
      return failed('too many requests')
    case 'failed':
      return failed('an unreadable response')
    case 'rejected':
      return failed('the request was not understood')
  }
}

function failed(detail: string): SubscriptionFailure {
  return { result: 'failed', key: 'bad_gateway', detail: cutText(detail, 500) }
}

function readSubscription(value: unknown): Subscription | undefined {
  const { id, includeFields } = fieldsOf(value)
  const number = /^gid:\/\/shopify\/WebhookSubscription\/(\d+)/.exec(String(id))?.[1]
  if (number === undefined) return undefined
  return { id: number, fields: Array.isArray(includeFields) ? includeFields.map(String) : [] }
}

function userErrors(payload: Record<string, unknown>): string[] {
  const errors = Array.isArray(payload.userErrors) ? payload.userErrors.filter(isRecord) : []
  return errors.map(({ message }) => String(message))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** `orders/create` is ORDERS_CREATE. */
export function enumName(topic: string): string {
  return topic.toUpperCase().replaceAll('/', '_')
}
