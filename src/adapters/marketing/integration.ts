import type { Call } from '../../platform/foundation/call.ts'
import type { CheckOutcome } from '../../platform/foundation/connection-check.ts'
import type { TString } from '../../platform/foundation/schema.ts'
import type { CredentialForm } from '../credentials.ts'
import type { SystemDescription } from '../description.ts'

/** The limit for one kind of call per account. */
export interface CallLimit {
  perSecond: number
  perMinute: number
}

/** Optional methods of an integration's adapter, beyond sending events. */
interface Abilities {
  /** Verifies the credentials and changes nothing, for a system in which a test event would change a real order. */
  check(call: Call, account: Account): Promise<IntegrationResult>
  /** Makes a documented call that reads about the account and changes nothing. */
  checkAccount(call: Call, account: Account): Promise<CheckOutcome>
  /** Returns the segments or lists of a customer. */
  fetchSegments(call: Call, account: Account, customer: Customer): Promise<SegmentsResult>
}
export type IntegrationAbility = keyof Abilities

/**
 * A marketing or commerce system that receives shipment events, described by its folder. The description is data that
 * everything else is derived from, and loads no adapter code; `addressOf` is needed before there is anything to send.
 */
export interface IntegrationDescription extends SystemDescription {
  credentials: CredentialForm
  /** shop_system: it shows parcels on its own orders, has fewer settings, and the same credentials as the shop system of this name. */
  kind: 'marketing' | 'shop_system'
  /** The documented hosts, in the form of CredentialRule: credentials are sent to no others. */
  hosts: readonly string[]
  /** Its URL if the shop sets it: the credentials are bound to its host. */
  addressOf?(settings: AccountSettings): string | undefined
  /** A trigger setting that it needs beyond credentials. */
  setting?: OwnSetting
  /** Accepts requests only from addresses that its account lists, so that the shop chooses whether they go through the proxy. */
  usesProxy?: boolean
  /** The system's limit per account and second; the worker spaces its calls by it. */
  requestsPerSecond: number
  /** Its adapter has exactly these methods beside `send`. */
  abilities: readonly IntegrationAbility[]
  /**
   * Whether shops can switch segments on. Of the first systems, all marketing systems have the switch; if the adapter
   * cannot fetch any, the switch is stored and has no effect.
   */
  hasSegmentSwitch: boolean
  /** Limits of the calls that fetching segments takes, by the `kind` of the request; each is made at least once. */
  segmentLimits?: Readonly<Record<string, CallLimit>>
  /** Its adapter, loaded with the first event or check. */
  load(): Promise<{ create(options: AdapterOptions): IntegrationAdapter }>
}

/** A text of the trigger settings that one integration has. */
export interface OwnSetting {
  name: string
  schema: TString
  /** It is a URL: user names and passwords in it are not shown. */
  isAddress?: boolean
}

/** Keeps the description as exact as it is written, and compares its abilities with the methods of its adapter. */
export function describeIntegration<const Described extends IntegrationDescription>(
  description: Described & {
    load(): Promise<{ create(options: AdapterOptions): AdapterWith<Described['abilities'][number]> }>
  },
): Described {
  return description
}

export interface AdapterOptions {
  /** Instead of the documented address: a relay, or a server of the tests. */
  baseUrl?: string | undefined
  now?: (() => number) | undefined
}

/** The code of an integration. */
export interface IntegrationAdapter extends Partial<Abilities> {
  /** Sends one event. Never throws for what the system replies: that is the outcome. */
  send(call: Call, account: Account, event: OutgoingEvent): Promise<IntegrationResult>
}

/** With the methods of exactly these abilities. */
export type AdapterWith<Ability extends IntegrationAbility = never> = Pick<IntegrationAdapter, 'send'> &
  Pick<Abilities, Ability> & { [Lacking in Exclude<IntegrationAbility, Ability>]?: undefined }

/** The shop's credentials and settings for this system. */
export interface Account {
  /** The shop, as the key for what an adapter caches, such as an access token. */
  shopId: string
  credentials: Credentials
  settings: AccountSettings
  /** Whether calls bypass the operator's proxy. */
  isDirect?: boolean
}

/** The settings that systems need beyond credentials: the own setting of each by its name, and shop_admin_url. */
export type AccountSettings = Readonly<Record<string, string | null | undefined>>

/** The usual forms. An adapter with a form of its own reads the fields of its own schema. */
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

export type IntegrationResult =
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

export type SegmentsResult =
  | { result: 'found'; segments: string[] }
  | Exclude<IntegrationResult, { result: 'delivered' }>
