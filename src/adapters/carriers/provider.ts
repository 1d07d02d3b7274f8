import type { Call } from '../../platform/foundation/call.ts'
import type { SystemDescription } from '../description.ts'
import type { CodeTable } from './code-map.ts'

/** Optional methods of a provider's adapter, beyond tracking. */
interface Abilities {
  /**
   * Registers a parcel for push updates. `follows` is false if the provider cannot push it, so that it has to be
   * polled.
   */
  register(call: Call, account: ProviderAccount, parcel: TrackedParcel): Promise<RegisterResult>
  /** Reads a webhook that the provider sends. */
  readWebhook(message: PushedMessage, secret: string): WebhookReading
}
export type ProviderAbility = keyof Abilities

/**
 * A source of carrier updates, described by its folder. The description is data that everything else is derived from, and
 * loads no adapter code; it may contain a pure function that is needed before the adapter is loaded.
 */
export interface ProviderDescription extends SystemDescription {
  /** carrier: its own system, which knows its parcels sooner and better than an aggregator of many; sandbox: simulated parcels. */
  kind: 'carrier' | 'aggregator' | 'sandbox'
  /** The documented hosts, in the form of CredentialRule: credentials are sent to no others. */
  hosts: readonly string[]
  /** References of the carriers it supports; if several providers support one, the settings choose. */
  carriers: readonly string[]
  /** The provider's limit per account; all nodes share it. */
  limit: { requests: number; perMs: number }
  /** The minimum time between two requests of an account, for providers that also limit that. */
  minGapMs?: number
  /** Parcels per request. */
  parcelsPerRequest: number
  /** The methods that its adapter has beside `track`. */
  abilities: readonly ProviderAbility[]
  /** The version of the messages that it reads, if the account chooses one. */
  webhookVersion?: string
  /** A parcel that a check of the credentials queries, which changes nothing. Only left out if there is nothing to check. */
  sample?: { carrierReference: string; trackingNumber: string }
  /** The table of its codes, whose meanings suggest what unknown codes mean. */
  codes?: CodeTable
  /** The time of the next scan, undefined after the last one. Only present if that is known in advance. */
  nextScanAt?(parcel: TrackedParcel): Date | undefined
  /** Its adapter, loaded with the first parcel or message. */
  load(): Promise<{ create(options: AdapterOptions): TrackingAdapter }>
}

/** Keeps the description as exact as it is written, and compares its abilities with the methods of its adapter. */
export function describeProvider<const Described extends ProviderDescription>(
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

/** The code of a provider. */
export interface TrackingAdapter extends Partial<Abilities> {
  /** Fetches at most `parcelsPerRequest` parcels. Never throws for what the provider replies. */
  track(call: Call, account: ProviderAccount, parcels: readonly TrackedParcel[]): Promise<TrackResult>
}

/** With the methods of exactly these abilities. */
export type AdapterWith<Ability extends ProviderAbility = never> = Pick<TrackingAdapter, 'track'> &
  Pick<Abilities, Ability> & { [Lacking in Exclude<ProviderAbility, Ability>]?: undefined }

export interface ProviderAccount {
  /** The shop, as the key for what an adapter caches, such as an access token. */
  shopId: string
  credentials: ProviderCredentials
}

/** As the schema of its credentials has them; empty if it needs none. */
export interface ProviderCredentials {
  api_key?: string
  client_id?: string
  client_secret?: string | null
  [field: string]: string | null | undefined
}

/** The data that a provider needs in order to track a parcel. */
export interface TrackedParcel {
  /** Our reference. */
  carrierReference: string
  trackingNumber: string
  /** Some carriers return a parcel only with its destination. */
  zipCode: string | null
  countryCode: string | null
  /** The time of fulfilment; sandbox journeys start then. */
  fulfilledAt: Date
  /** The time of the request. */
  now: Date
}

export type TrackResult =
  /** One report per known parcel, in any order; those of one number in the order of their parcels. */
  { result: 'found'; reports: ParcelReport[] } | ProviderFailure

export type RegisterResult = { result: 'registered'; follows: boolean } | ProviderFailure

export type ProviderFailure =
  /** Rejected, and would be again until the account is fixed. */
  | { result: 'rejected'; status: number; key: 'partner_key_missing_permissions' | 'invalid_payload'; detail: string }
  /** Retried later: rate limit, or a failure of the provider. */
  | { result: 'failed'; status: number; key: 'bad_gateway'; detail: string; retryAfterMs?: number }

/** A provider's report about a parcel, with all its scans or those of a webhook. */
export interface ParcelReport {
  trackingNumber: string
  /** Our carrier, if the provider names one that we know. */
  carrierReference?: string
  scans: Scan[]
  /** ISO 8601 instants; a whole day is local to the destination. */
  expectedDelivery?: { start: string; end: string }
  pickup?: ReportedPickup
  proof?: ReportedProof
  /** The provider's name for the carrier. */
  carrierName?: string
  /** The provider's or carrier's tracking page. */
  trackingLink?: string
  /** The sender as known to the carrier. */
  senderName?: string
}

/** The proof of a delivery, as far as the provider has it. */
export interface ReportedProof {
  /** The person who took or signed for the parcel. */
  receivedBy?: string
  /** Undefined: the time of the scan. */
  time?: Date
  /** The place where it was handed over or left, in the words of the carrier. */
  place?: string
  pictureUrl?: string
  signatureUrl?: string
}

export interface Scan {
  /** The provider's most specific code: the key of the mapping, shown in the inbox if it is unmapped. */
  code: string
  /** The provider's own text. */
  text: string | null
  /** Our event name; undefined if the adapter does not know the code. */
  eventName: string | undefined
  time: Date
  /** An IANA name or an offset such as +02:00, if the provider sends one. */
  timezone: string | null
  location: ScanLocation | null
}

export interface ScanLocation {
  city?: string
  country?: string
  country_code?: string
  postal_code?: string
  state_or_province?: string
  place?: string
  latitude?: number
  longitude?: number
}

export interface ReportedPickup {
  type: 'shop' | 'neighbor' | 'locker' | 'letterbox'
  name?: string
  address?: Record<string, string>
  url?: string
  opening_hours?: Record<string, string>
  date_to?: string
}

/** A webhook as received. */
export interface PushedMessage {
  bytes: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The time of receipt, which a signed timestamp is compared with. */
  now: Date
}

/** The part of a webhook about one number. It is read with the parcel of that number, as a reply about it is. */
export interface PushedReport {
  trackingNumber: string
  read(parcel: TrackedParcel): ParcelReport
}

export type WebhookReading =
  /** `version` is that of the message, if the provider states it. */
  | { result: 'read'; reports: PushedReport[]; version?: string }
  /** Validly signed and irrelevant: a test message, or an event without scans. */
  | { result: 'ignored'; version?: string }
  | { result: 'wrong signature' }
  | { result: 'unreadable'; detail: string }
