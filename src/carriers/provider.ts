import type { Call } from '../foundation/call.ts'

/** Where parcels are followed: carriers' own systems, and those that ask many carriers. */
export const providerNames = ['aftership', 'dhl', 'ups', 'fedex', 'easypost', 'sandbox'] as const
export type ProviderName = (typeof providerNames)[number]

/** A source of carrier updates. Each adapter lives in a folder of its own. */
export interface TrackingProvider {
  name: ProviderName
  /** As people know it. */
  system: string
  /** The hosts that its documentation names, as CredentialRule has them: its credentials are sent to no others. */
  hosts: readonly string[]
  /** Our references of the carriers it can follow; of two providers that can, the settings choose. */
  carriers: readonly string[]
  /** What its own limit allows one account; all nodes share it. */
  limit: { requests: number; perMs: number }
  /** The least time between two requests of one account, where there is a limit of that kind as well. */
  leastGapMs?: number
  /** Parcels that one request can ask for. */
  parcelsPerRequest: number
  /** Asks for the parcels, at most `parcelsPerRequest`. Never throws for what the other side answers. */
  track(call: Call, account: ProviderAccount, parcels: readonly TrackedParcel[]): Promise<TrackAnswer>
  /**
   * Asks to be told of a parcel from now on, where updates are pushed to those who ask. `follows` is false where the
   * provider cannot push it, so that it has to be polled.
   */
  register?(call: Call, account: ProviderAccount, parcel: TrackedParcel): Promise<RegisterAnswer>
  /** Reads what the provider pushes. Only present where it pushes. */
  readWebhook?(message: PushedMessage, secret: string): WebhookReading
  /** When the next scan of the parcel is due; only present where that is known, and undefined after the last one. */
  nextScanAt?(parcel: TrackedParcel): Date | undefined
}

export interface ProviderAccount {
  /** Which shop: what an adapter keeps, such as an access token, is kept by it. */
  shopId: string
  credentials: ProviderCredentials
}

/** Empty for the sandbox, which has none. */
export interface ProviderCredentials {
  api_key?: string
  client_id?: string
  client_secret?: string | null
}

/** A parcel as a provider is asked for it. */
export interface TrackedParcel {
  /** Ours. */
  carrierReference: string
  trackingNumber: string
  /** Some carriers show a parcel only to who knows where it goes. */
  zipCode: string | null
  countryCode: string | null
  /** When it was handed to us; the sandbox begins its journey there. */
  fulfilledAt: Date
  /** The instant of the question. */
  now: Date
}

export type TrackAnswer =
  /** One report for each parcel that the provider knows, in any order. */
  { result: 'found'; reports: ParcelReport[] } | ProviderFailure

export type RegisterAnswer = { result: 'registered'; follows: boolean } | ProviderFailure

export type ProviderFailure =
  /** The other side said no, and would say it again until the account is put right. */
  | { result: 'refused'; status: number; key: 'partner_key_missing_permissions' | 'invalid_payload'; detail: string }
  /** Asked again later: too many requests, or their own failure. */
  | { result: 'failed'; status: number; key: 'bad_gateway'; detail: string; retryAfterMs?: number }

/** What a provider knows of a parcel: all its scans, or those that a push brings. */
export interface ParcelReport {
  trackingNumber: string
  /** Ours, where the provider says which carrier it is and we know that one. */
  carrierReference?: string
  scans: Scan[]
  /** ISO 8601 instants; a day is from its first to its last moment where the parcel goes. */
  expectedDelivery?: { start: string; end: string }
  pickup?: ReportedPickup
  /** What the provider calls the carrier. */
  carrierName?: string
  /** The page on which the provider or the carrier shows the parcel. */
  trackingLink?: string
  /** Who sent it, as the carrier knows the sender. */
  senderName?: string
}

export interface Scan {
  /** The provider's own code, as exact as it has one: what is mapped, and what the inbox shows when it is not. */
  code: string
  /** The provider's own words for it. */
  text: string | null
  /** Our name for it; undefined where the adapter does not know the code. */
  eventName: string | undefined
  time: Date
  /** IANA name or an offset such as +02:00, where the provider says so. */
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

/** What came to our address, as it came. */
export interface PushedMessage {
  bytes: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The instant it came, against which a signed time is held. */
  now: Date
}

export type WebhookReading =
  | { result: 'read'; reports: ParcelReport[] }
  /** Signed well and of no interest: a test message, a kind of event that brings no scans. */
  | { result: 'ignored' }
  | { result: 'wrong signature' }
  | { result: 'unreadable'; detail: string }
