import type { Call, CallResponse } from '../../../platform/foundation/call.ts'
import { asText, readObject } from '../../../platform/foundation/read-json.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { cutText } from '../../../platform/foundation/storable-text.ts'
import { idOf, textOf } from '../read-fields.ts'
import { callStore, readList, type StoreRequest, type WooCommerceAccount } from './rest-api.ts'

/** The topics of the webhooks of a connected store. */
export const webhookTopics = [
  'order.created',
  'order.updated',
  'order.deleted',
  'order.restored',
  'product.created',
  'product.updated',
  'product.deleted',
  'product.restored',
] as const

/** A webhook of the store that sends to us. */
export interface StoreWebhook {
  id: string
  topic: string
  /** Paused by hand; disabled after too many failures. */
  status: 'active' | 'paused' | 'disabled'
}

export interface WebhookFailure {
  result: 'failed'
  key: 'partner_key_missing_permissions' | 'bad_gateway'
  message: string
}

const statuses = ['active', 'paused', 'disabled'] as const
const pageSize = 100
/** Bounds the time and memory that a store with countless webhooks takes. */
const maxPages = 10

/** The webhooks of the store that send to the address, oldest first. */
export async function listWebhooks(
  call: Call,
  account: WooCommerceAccount,
  address: string,
): Promise<{ result: 'found'; webhooks: StoreWebhook[] } | WebhookFailure> {
  const found: StoreWebhook[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const query = { per_page: String(pageSize), page: String(page), orderby: 'id', order: 'asc' }
    const response = await send(call, account, { method: 'GET', path: 'webhooks', query })
    if ('result' in response) return response
    const list = readList(response)
    if (list === undefined) return failureOf(response, 'read')
    for (const webhook of list) {
      if (webhook.delivery_url !== address) continue
      const [id, topic] = [idOf(webhook.id), textOf(webhook.topic, 100)]
      if (id !== undefined && topic !== undefined) {
        const status = statuses.find((each) => each === webhook.status) ?? 'disabled'
        found.push({ id, topic, status })
      }
    }
    if (list.length < pageSize) break
  }
  return { result: 'found', webhooks: found }
}

/** The wanted state of a webhook: the store sends to the address, signed with the secret. */
export interface WantedWebhook {
  topic: string
  address: string
  secret: string
}

/** Creates a webhook, or brings the given one into this state. */
export async function putWebhook(
  call: Call,
  account: WooCommerceAccount,
  { topic, address, secret }: WantedWebhook,
  id?: string,
): Promise<{ result: 'put' } | WebhookFailure> {
  // Their message might quote the secret.
  const guarded = redactSecrets(call, [secret])
  const body = { name: `Doorstep ${topic}`, topic, delivery_url: address, secret, status: 'active' }
  const request: StoreRequest =
    id === undefined
      ? { method: 'POST', path: 'webhooks', body }
      : { method: 'PUT', path: `webhooks/${id}`, body: { secret, status: 'active' } }
  const response = await send(guarded, account, request)
  if ('result' in response) return response
  return response.status === 200 || response.status === 201 ? { result: 'put' } : failureOf(response, 'write')
}

async function send(
  call: Call,
  account: WooCommerceAccount,
  request: StoreRequest,
): Promise<CallResponse | WebhookFailure> {
  try {
    return await callStore(call, account, request)
  } catch (error) {
    // A call throws if there was no reply, or if the key must not be sent to the address.
    return failed((error as Error).message)
  }
}

/** Both a wrong key and one that may only read get a 401. */
function failureOf({ status, body }: CallResponse, act: 'read' | 'write'): WebhookFailure {
  if (status === 401 || status === 403) {
    const message =
      act === 'write'
        ? 'WooCommerce does not allow this with the key. It needs the permission Read/Write, and a user who manages the store.'
        : 'WooCommerce does not show its webhooks with the key. It must belong to a user who manages the store.'
    return { result: 'failed', key: 'partner_key_missing_permissions', message }
  }
  const said = asText(readObject(body)?.message)
  return failed(said === undefined ? `status ${status}` : `status ${status}: ${said}`)
}

function failed(detail: string): WebhookFailure {
  const message = `WooCommerce could not be called: ${cutText(detail, 500)}. Try again later.`
  return { result: 'failed', key: 'bad_gateway', message }
}
