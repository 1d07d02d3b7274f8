import type { Call, CallAnswer } from '../../foundation/call.ts'
import { isRecord } from '../../foundation/read-json.ts'
import { type AdminDocument, adminRequest, readAdminAnswer } from '../../vendors/shopify-admin.ts'

/** The shop whose Admin API is called, and the token that opens it. */
export interface ShopifyAccount {
  shopUrl: string
  accessToken: string
}

export interface Subscription {
  /** Shopify's number for it, which may have more digits than a number in JavaScript is exact to. */
  id: string
  /** The fields that are sent; none: all. */
  fields: string[]
}

export type SubscriptionFailure =
  | { result: 'refused'; key: 'partner_key_missing_permissions' }
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

const deleted = `mutation unsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) {
    deletedWebhookSubscriptionId
    userErrors { field message }
  }
}`

/**
 * Has a topic sent to an address. A subscription that is there already, from an attempt whose answer was lost, is
 * taken over: Shopify would not make a second one.
 */
export async function subscribe(
  call: Call,
  account: ShopifyAccount,
  topic: string,
  uri: string,
): Promise<{ result: 'subscribed'; subscription: Subscription } | SubscriptionFailure> {
  const name = enumName(topic)
  const variables = { topic: name, webhookSubscription: { uri, format: 'JSON' } }
  const answer = await execute(call, account, { query: created, variables })
  if (answer.result !== 'data') return answer
  const payload = fieldsOf(answer.data.webhookSubscriptionCreate)
  const messages = userErrors(payload)
  const subscription = readSubscription(payload.webhookSubscription)
  if (messages.length === 0 && subscription) return { result: 'subscribed', subscription }
  if (messages.some((message) => /already been taken/i.test(message))) return takeOver(call, account, name, uri)
  // Which topics a token may follow depends on its scopes.
  if (messages.some((message) => /cannot create a webhook subscription|access|scope|permission/i.test(message))) {
    return { result: 'refused', key: 'partner_key_missing_permissions' }
  }
  return failed(messages[0] ?? 'an answer without a subscription')
}

/** What is not there any more is as good as deleted. */
export async function unsubscribe(
  call: Call,
  account: ShopifyAccount,
  id: string,
): Promise<{ result: 'unsubscribed' } | SubscriptionFailure> {
  const variables = { id: `gid://shopify/WebhookSubscription/${id}` }
  const answer = await execute(call, account, { query: deleted, variables })
  if (answer.result !== 'data') return answer
  const messages = userErrors(fieldsOf(answer.data.webhookSubscriptionDelete))
  const isGone = messages.every((message) => /not (be )?found|does not exist|doesn't exist/i.test(message))
  return isGone ? { result: 'unsubscribed' } : failed(messages[0] ?? 'an unreadable answer')
}

async function takeOver(
  call: Call,
  account: ShopifyAccount,
  topic: string,
  uri: string,
): Promise<{ result: 'subscribed'; subscription: Subscription } | SubscriptionFailure> {
  const answer = await execute(call, account, { query: found, variables: { topics: [topic], uri } })
  if (answer.result !== 'data') return answer
  const { nodes } = fieldsOf(answer.data.webhookSubscriptions)
  const subscription = readSubscription(Array.isArray(nodes) ? nodes[0] : undefined)
  return subscription ? { result: 'subscribed', subscription } : failed('the address is taken by another app')
}

async function execute(
  call: Call,
  account: ShopifyAccount,
  document: AdminDocument,
): Promise<{ result: 'data'; data: Record<string, unknown> } | SubscriptionFailure> {
  let answer: CallAnswer
  try {
    answer = await call(adminRequest(account.shopUrl, account.accessToken, document))
  } catch (error) {
    // A call throws where there was no answer: refused, timed out, not resolved, or an address that is not called.
    return failed((error as Error).message)
  }
  const { status } = answer
  // What they say may be shown, and may repeat the token.
  const body = answer.body.replaceAll(account.accessToken, '***')
  if (status === 401 || status === 403) return { result: 'refused', key: 'partner_key_missing_permissions' }
  if (status < 200 || status > 299) return failed(`status ${status}`)
  const read = readAdminAnswer(body)
  switch (read.result) {
    case 'data':
      return read
    case 'denied':
      return { result: 'refused', key: 'partner_key_missing_permissions' }
    case 'throttled':
      return failed('too many requests')
    case 'failed':
      return failed('an unreadable answer')
    case 'refused':
      return failed('the request was not understood')
  }
}

function failed(detail: string): SubscriptionFailure {
  return { result: 'failed', key: 'bad_gateway', detail: detail.slice(0, 500) }
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
function enumName(topic: string): string {
  return topic.toUpperCase().replaceAll('/', '_')
}
