import type { Call, CallRequest } from '../../../platform/foundation/call.ts'
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
  RegisterResult,
  TrackedParcel,
  TrackResult,
} from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { carriers } from './carriers.ts'
import { readTracking } from './tracking.ts'
import { version } from './version.ts'
import { readWebhook } from './webhook.ts'

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
