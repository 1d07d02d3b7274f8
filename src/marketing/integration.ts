import type { Call } from '../foundation/call.ts'
import type { CheckOutcome } from '../foundation/connection-check.ts'

/** The systems that events can be sent to, as the API names them. */
export const integrationNames = ['klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail', 'shopify'] as const
export type IntegrationName = (typeof integrationNames)[number]

/**
 * The systems whose API returns the segments of a customer. Braze, Emarsys and Inxmail have no such call (see their
 * READMEs): switching segments on for them is stored and has no effect.
 */
export const segmentFetchers = ['klaviyo', 'brevo', 'hubspot'] as const satisfies readonly IntegrationName[]

declare module '../foundation/services.ts' {
  interface Services {
    /** The adapters of this process. */
    readonly integrations: Readonly<Record<IntegrationName, Integration>>
  }
}

/** The limit for one kind of call per account. */
export interface CallLimit {
  perSecond: number
  perMinute: number
}

/** A marketing or commerce system that receives shipment events. Each adapter has its own folder. */
export interface Integration {
  name: IntegrationName
  /** The display name. */
  system: string
  /** The documented hosts, in the form of CredentialRule: credentials are sent to no others. */
  hosts: readonly string[]
  /** The setting that contains its URL, which the credentials are bound to; absent if the URL is fixed. */
  addressOf?(settings: Account['settings']): string | undefined
  /** The system's limit per account and second; the worker spaces its calls by it. */
  requestsPerSecond: number
  /** Sends one event. Never throws for what the system replies: that is the outcome. */
  send(call: Call, account: Account, event: OutgoingEvent): Promise<Outcome>
  /** Verifies the credentials and changes nothing, for a system in which a test event would change a real order. */
  check?(call: Call, account: Account): Promise<Outcome>
  /** Makes a documented call that reads about the account and changes nothing. */
  checkAccount?(call: Call, account: Account): Promise<CheckOutcome>
  /** The segments or lists of a customer; absent if the system does not offer them. */
  fetchSegments?(call: Call, account: Account, customer: Customer): Promise<SegmentsOutcome>
  /** Limits of the calls that fetching segments takes, by the `kind` of the request; each is made at least once. */
  segmentLimits?: Readonly<Record<string, CallLimit>>
}

/** The shop's credentials and settings for this system. */
export interface Account {
  /** The shop, as the key for what an adapter caches, such as an access token. */
  shopId: string
  credentials: Credentials
  /** What the system needs beyond credentials: instance_id, rest_endpoint, portal_id, shop_admin_url. */
  settings: Record<string, string | null | undefined>
  /** Whether calls bypass the operator's proxy. */
  isDirect?: boolean
}

export type Credentials =
  | { api_key: string }
  | { client_id: string; client_secret?: string | null }
  | { username: string; password: string }

/** An event, reduced to what adapters map. */
export interface OutgoingEvent {
  /** The same for all attempts, so that a receiver can detect repetitions. */
  id: string
  source: 'shipments' | 'claims'
  ref: string
  eventGroup: string
  triggeredAt: string
  shopSlug: string
  /** The variables that message templates use. */
  eventData: Record<string, unknown>
  customer: Customer
  /** The complete payload, as webhook endpoints receive it. */
  payload: Record<string, unknown>
}

export interface Customer {
  external_id: string | null
  email: string | null
  first_name: string | null
  last_name: string | null
  full_name: string | null
  phone: string | null
}

export type Outcome =
  | { result: 'delivered'; status: number; body: string }
  /** Nothing to send: no e-mail address, or an event that the system does not know. Not an error, and not retried. */
  | { result: 'skipped'; reason: string }
  /** Rejected, and would be again. */
  | { result: 'rejected'; status: number; body: string; key: RejectionKey }
  /** Retried later: rate limit, or a failure of the system. */
  | { result: 'failed'; status: number; body: string; key: 'bad_gateway'; retryAfterMs?: number }

/** Our API's error key for the problem. */
export type RejectionKey =
  | 'partner_key_missing_permissions'
  | 'partner_key_not_found'
  | 'invalid_payload'
  | 'bad_gateway'

export type SegmentsOutcome = { result: 'found'; segments: string[] } | Exclude<Outcome, { result: 'delivered' }>
