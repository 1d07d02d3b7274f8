import { secondMs } from '../../foundation/clock.ts'
import { outcomeOf } from '../answers.ts'
import type { Account, Call, CallAnswer, Outcome } from '../integration.ts'
import { hideSecrets } from '../secrets.ts'

export type Failed = Exclude<Outcome, { result: 'delivered' }>

/** What a document answered, or why it did not. */
export type Executed = { answer: CallAnswer; data: Record<string, unknown> } | Failed

const version = '2026-10'

/** Sends one document to the shop's Admin API. */
export async function execute(
  call: Call,
  account: Account,
  baseUrl: string | undefined,
  document: { query: string; variables: Record<string, unknown> },
): Promise<Executed> {
  const { credentials } = account
  if (!('api_key' in credentials)) return { result: 'refused', status: 0, body: '', key: 'partner_key_not_found' }
  const shop = findShopUrl(account.settings.shop_admin_url)
  if (shop === undefined) {
    return { result: 'skipped', reason: 'shop_admin_url is no address: set it to https://<shop>.myshopify.com' }
  }
  const answer = await hideSecrets(
    call,
    credentials,
  )({
    method: 'POST',
    url: `${baseUrl ?? shop}/admin/api/${version}/graphql.json`,
    headers: {
      'x-shopify-access-token': credentials.api_key,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(document),
  })
  return read(answer)
}

/** GraphQL says most failures in the body of an answer whose status is 200. */
function read(answer: CallAnswer): Executed {
  const { status, body } = answer
  const outcome = outcomeOf(answer)
  if (outcome.result !== 'delivered') return outcome
  const content = parse(body)
  const codes = content === undefined ? [] : codesOf(content.errors)
  if (codes.includes('THROTTLED')) {
    return { result: 'failed', status, body, key: 'bad_gateway', retryAfterMs: throttledMs(content) }
  }
  if (codes.includes('ACCESS_DENIED'))
    return { result: 'refused', status, body, key: 'partner_key_missing_permissions' }
  if (content === undefined || codes.includes('INTERNAL_SERVER_ERROR')) {
    return { result: 'failed', status, body, key: 'bad_gateway' }
  }
  if (content.errors !== undefined || !isRecord(content.data)) {
    return { result: 'refused', status, body, key: 'invalid_payload' }
  }
  return { answer, data: content.data }
}

/** The bucket is filled at a known rate: when it holds what the document asks for, it can run. */
function throttledMs(content: Record<string, unknown> | undefined): number {
  const extensions = isRecord(content?.extensions) ? content.extensions : {}
  const cost = isRecord(extensions.cost) ? extensions.cost : {}
  const bucket = isRecord(cost.throttleStatus) ? cost.throttleStatus : {}
  const missing = Number(cost.requestedQueryCost) - Number(bucket.currentlyAvailable)
  const waitMs = Math.ceil((missing / Number(bucket.restoreRate)) * secondMs)
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : secondMs
}

function codesOf(errors: unknown): unknown[] {
  if (!Array.isArray(errors)) return []
  return errors.map((error) => (isRecord(error) && isRecord(error.extensions) ? error.extensions.code : undefined))
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const content: unknown = JSON.parse(body)
    return isRecord(content) ? content : undefined
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The admin's address in any of the forms that merchants copy it in; the API is at the shop's own host. */
function findShopUrl(adminUrl: string | null | undefined): string | undefined {
  const text = adminUrl?.trim() ?? ''
  if (text === '') return undefined
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.hostname !== 'admin.shopify.com') return url.origin
  const shop = /^\/store\/([a-z0-9-]+)/i.exec(url.pathname)?.[1]
  return shop === undefined ? undefined : `https://${shop.toLowerCase()}.myshopify.com`
}
