import type { Call, CallRequest } from '../../../platform/foundation/call.ts'
import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { readResetAt } from '../../../platform/foundation/retry-after.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
import { failureOf, noCredentials } from '../failures.ts'
import { longCountryCode } from '../places.ts'
import type {
  AdapterOptions,
  AdapterWith,
  ProviderAccount,
  ProviderFailure,
  PushedMessage,
  RegisterResult,
  TrackedParcel,
  TrackResult,
  WebhookReading,
} from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { carriers } from './carriers.ts'
import { readTracking } from './tracking.ts'
import { version } from './version.ts'

/** AfterShip's own error codes, which are more specific than the HTTP status. */
const alreadyExists = 4003

/** AfterShip follows a parcel once it is registered, and then pushes updates. */
export function create(options: AdapterOptions = {}): AdapterWith<'register' | 'readWebhook'> {
  const baseUrl = `${options.baseUrl ?? 'https://api.aftership.com'}/tracking/${version}`
  return {
    track: (call, account, parcels) => track(baseUrl, call, account, parcels),
    register: (call, account, parcel) => register(baseUrl, call, account, parcel),
    readWebhook,
  }
}

async function track(
  baseUrl: string,
  call: Call,
  account: ProviderAccount,
  parcels: readonly TrackedParcel[],
): Promise<TrackResult> {
  const numbers = parcels.map(({ trackingNumber }) => bareNumber(trackingNumber)).join(',')
  const query = new URLSearchParams({ tracking_numbers: numbers, limit: '200' })
  const response = await sendRequest(call, account, {
    method: 'GET',
    url: `${baseUrl}/trackings?${query}`,
    headers: {},
  })
  if ('result' in response) return response
  const data = response.status === 200 ? asObject(readObject(response.body)?.data) : undefined
  if (!Array.isArray(data?.trackings)) return problemOf(response, parcels)
  const trackings = recordsOf(data.trackings)
  const reports = parcels.flatMap((parcel) => {
    const same = trackings.filter((tracking) => {
      return bareNumber(asText(tracking.tracking_number) ?? '') === bareNumber(parcel.trackingNumber)
    })
    // Two carriers may use the same number; the parcel's own carrier wins.
    const slugOf = (tracking: Record<string, unknown>) => carriers.referenceOf(asText(tracking.slug))
    const tracking = same.find((one) => slugOf(one) === parcel.carrierReference) ?? same[0]
    return tracking === undefined ? [] : [readTracking(tracking, parcel)]
  })
  return { result: 'found', reports }
}

async function register(
  baseUrl: string,
  call: Call,
  account: ProviderAccount,
  parcel: TrackedParcel,
): Promise<RegisterResult> {
  const slug = carriers.nameOf(parcel.carrierReference)
  const country = longCountryCode(parcel.countryCode)
  const response = await sendRequest(call, account, {
    method: 'POST',
    url: `${baseUrl}/trackings`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tracking_number: bareNumber(parcel.trackingNumber),
      ...(slug === undefined ? {} : { slug }),
      ...(parcel.zipCode ? { destination_postal_code: parcel.zipCode } : {}),
      ...(country === undefined ? {} : { destination_country_region: country }),
    }),
  })
  if ('result' in response) return response
  const content = readObject(response.body)
  const isThere = asObject(content?.meta)?.code === alreadyExists
  const isNew = response.status >= 200 && response.status < 300 && asObject(content?.data) !== undefined
  return isThere || isNew ? { result: 'registered', follows: true } : problemOf(response, [parcel])
}

async function sendRequest(call: Call, { credentials }: ProviderAccount, request: CallRequest) {
  const key = credentials.api_key
  if (!key) return noCredentials('AfterShip', 'api_key')
  const headers = { accept: 'application/json', ...request.headers, 'as-api-key': key }
  return redactSecrets(call, [key])({ ...request, headers })
}

/** AfterShip has its own header for the time of the next allowed request. */
function problemOf(response: Parameters<typeof failureOf>[1], [parcel]: readonly TrackedParcel[]): ProviderFailure {
  const pauseMs = parcel && readResetAt(response, 'x-ratelimit-reset', parcel.now.getTime())
  return response.status === 429 && pauseMs !== undefined
    ? failureOf('AfterShip', response, pauseMs)
    : failureOf('AfterShip', response)
}

/** The events that carry a tracking; others only report inactivity. */
const trackingEvents = new Set(['tracking_update', 'edd_revise'])

/** The signature is the base64 HMAC-SHA256 of the raw body, with the webhook's secret. */
function readWebhook({ bytes, headers }: PushedMessage, secret: string): WebhookReading {
  const signature = headers['aftership-hmac-sha256']
  const expected = hmacSha256(secret, bytes).toString('base64')
  if (secret === '' || typeof signature !== 'string' || !isSame(signature.trim(), expected)) {
    return { result: 'wrong signature' }
  }
  const content = readObject(bytes.toString('utf8'))
  if (content === undefined) return { result: 'unreadable', detail: 'the body is no JSON object' }
  const stated = headers['as-webhook-version']
  const version = typeof stated === 'string' && /^[\w.-]{1,20}$/.test(stated) ? { version: stated } : {}
  if (!trackingEvents.has(asText(content.event) ?? '')) return { result: 'ignored', ...version }
  const tracking = asObject(content.msg)
  const trackingNumber = asText(tracking?.tracking_number)
  if (trackingNumber === undefined || tracking === undefined) {
    return { result: 'unreadable', detail: 'msg has no tracking_number' }
  }
  const reports = [{ trackingNumber, read: (parcel: TrackedParcel) => readTracking(tracking, parcel) }]
  return { result: 'read', reports, ...version }
}
