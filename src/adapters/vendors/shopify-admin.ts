import type { CallRequest } from '../../platform/foundation/call.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import { isRecord, readObject } from '../../platform/foundation/read-json.ts'

/** A document for the GraphQL Admin API of a Shopify shop. */
export interface AdminDocument {
  query: string
  variables: Record<string, unknown>
}

/** The result in the body of a response with a success status. */
export type AdminResponse =
  | { result: 'data'; data: Record<string, unknown> }
  | { result: 'throttled'; waitMs: number }
  /** The token lacks a scope. */
  | { result: 'denied' }
  /** Unreadable, or a failure of Shopify. */
  | { result: 'failed' }
  /** Shopify rejected the document. */
  | { result: 'rejected' }

/** Every shop has its Admin API at a name below this, whatever domain its customers know. */
export const shopifyHosts = ['*.myshopify.com']

/** Supported for at least a year after its release. */
const version = '2026-10'

export function adminRequest(shopUrl: string, accessToken: string, document: AdminDocument): CallRequest {
  return {
    method: 'POST',
    url: `${shopUrl}/admin/api/${version}/graphql.json`,
    headers: {
      'x-shopify-access-token': accessToken,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(document),
  }
}

/** A request to the REST Admin API, for what GraphQL would return in another shape than webhooks do. */
export function adminGetRequest(
  shopUrl: string,
  accessToken: string,
  path: string,
  query: Record<string, string>,
): CallRequest {
  return {
    method: 'GET',
    url: `${shopUrl}/admin/api/${version}/${path}?${new URLSearchParams(query)}`,
    headers: { 'x-shopify-access-token': accessToken, accept: 'application/json' },
  }
}

/** GraphQL reports most failures in the body of a response with status 200. */
export function readAdminResponse(body: string): AdminResponse {
  const content = readObject(body)
  if (content === undefined) return { result: 'failed' }
  const codes = codesOf(content.errors)
  if (codes.includes('THROTTLED')) return { result: 'throttled', waitMs: throttledMs(content) }
  if (codes.includes('ACCESS_DENIED')) return { result: 'denied' }
  if (codes.includes('INTERNAL_SERVER_ERROR')) return { result: 'failed' }
  if (content.errors !== undefined || !isRecord(content.data)) return { result: 'rejected' }
  return { result: 'data', data: content.data }
}

/** Finds the shop's own host, which has the API, in any form of the admin address that merchants copy. */
export function findShopUrl(adminUrl: string | null | undefined): string | undefined {
  const text = adminUrl?.trim() ?? ''
  if (text === '') return undefined
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  // Shopify is only available over TLS.
  if (url.hostname.endsWith('.myshopify.com')) return `https://${url.hostname}`
  if (url.hostname !== 'admin.shopify.com') return url.origin
  const shop = /^\/store\/([a-z0-9-]+)/i.exec(url.pathname)?.[1]
  return shop === undefined ? undefined : `https://${shop.toLowerCase()}.myshopify.com`
}

/** The bucket is refilled at a known rate: the document can run once its cost is available. */
function throttledMs(content: Record<string, unknown>): number {
  const extensions = isRecord(content.extensions) ? content.extensions : {}
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
