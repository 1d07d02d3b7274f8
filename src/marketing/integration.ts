import type { Call } from '../foundation/call.ts'

/** The seven systems that events can be sent to, as the API names them. */
export const integrationNames = ['klaviyo', 'brevo', 'braze', 'hubspot', 'emarsys', 'inxmail', 'shopify'] as const
export type IntegrationName = (typeof integrationNames)[number]

/**
 * Those whose API names the segments of one customer, and that can be switched on for it. Braze, Emarsys and Inxmail have
 * no such call (see their READMEs): what is switched on for them is kept and has no effect.
 */
export const segmentFetchers = ['klaviyo', 'brevo', 'hubspot'] as const satisfies readonly IntegrationName[]

/** How often one kind of call may be made with one account. */
export interface CallLimit {
  perSecond: number
  perMinute: number
}

/** A marketing or commerce system that is told what happens to a parcel. Each adapter lives in a folder of its own. */
export interface Integration {
  name: IntegrationName
  /** As people know it. */
  system: string
  /** The hosts that its documentation names, as CredentialRule has them: its credentials are sent to no others. */
  hosts: readonly string[]
  /** Where the shop's settings place it, on which its credentials depend; absent where its address is always the same. */
  addressOf?(settings: Account['settings']): string | undefined
  /** Requests a second that this system's own limit allows one account; the worker spaces its calls by it. */
  requestsPerSecond: number
  /** Tells one event. Never throws for what the other side answers: that is the outcome. */
  send(call: Call, account: Account, event: OutgoingEvent): Promise<Outcome>
  /** The segments or lists the customer is in; undefined where this system has none to ask for. */
  fetchSegments?(call: Call, account: Account, customer: Customer): Promise<SegmentsOutcome>
  /** The limits of the kinds of calls that fetching segments takes, by the `kind` of the request; each is made at least once. */
  segmentLimits?: Readonly<Record<string, CallLimit>>
}

/** The shop's credentials and settings for this system. */
export interface Account {
  /** Which shop: what an adapter keeps, such as an access token, is kept by it. */
  shopId: string
  credentials: Credentials
  /** instance_id, rest_endpoint, portal_id, shop_admin_url: what this system needs beyond credentials. */
  settings: Record<string, string | null | undefined>
  /** Whether calls leave past the operator's proxy. */
  isDirect?: boolean
}

export type Credentials =
  | { api_key: string }
  | { client_id: string; client_secret?: string | null }
  | { username: string; password: string }

/** The event as every receiver gets it, reduced to what adapters map. */
export interface OutgoingEvent {
  /** The same over all attempts, so that a receiver can tell a repetition. */
  id: string
  source: 'shipments' | 'claims'
  ref: string
  eventGroup: string
  triggeredAt: string
  shopSlug: string
  /** The variables that message templates use. */
  eventData: Record<string, unknown>
  customer: Customer
  /** The whole payload as webhook endpoints get it. */
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
  /** Nothing to send: no e-mail address, an event this system does not know. Not an error, and not tried again. */
  | { result: 'skipped'; reason: string }
  /** The other side said no, and would say it again. */
  | { result: 'refused'; status: number; body: string; key: RefusalKey }
  /** Tried again later: too many requests, or their own failure. */
  | { result: 'failed'; status: number; body: string; key: 'bad_gateway'; retryAfterMs?: number }

/** The API's error key for what went wrong. */
export type RefusalKey = 'partner_key_missing_permissions' | 'partner_key_not_found' | 'invalid_payload' | 'bad_gateway'

export type SegmentsOutcome = { result: 'found'; segments: string[] } | Exclude<Outcome, { result: 'delivered' }>
