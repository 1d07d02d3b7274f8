import type { Call, CallRequest } from '../../../platform/foundation/call.ts'
import { asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { basicOf, redactSecrets } from '../../../platform/foundation/secrets.ts'
import { failureOf, noCredentials } from '../failures.ts'
import type {
  AdapterOptions,
  AdapterWith,
  ProviderAccount,
  RegisterResult,
  TrackedParcel,
  TrackResult,
} from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { carriers } from './carriers.ts'
import { readTracker } from './tracker.ts'
import { readWebhook } from './webhook.ts'

/** EasyPost follows a parcel once it has a tracker, and then pushes updates. */
export function create(options: AdapterOptions = {}): AdapterWith<'register' | 'readWebhook'> {
  const baseUrl = `${options.baseUrl ?? 'https://api.easypost.com'}/v2`
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
  [parcel]: readonly TrackedParcel[],
): Promise<TrackResult> {
  if (parcel === undefined) return { result: 'found', reports: [] }
  const query = new URLSearchParams({ tracking_code: bareNumber(parcel.trackingNumber) })
  const response = await sendRequest(call, account, { method: 'GET', url: `${baseUrl}/trackers?${query}`, headers: {} })
  if ('result' in response) return response
  if (response.status === 404) return { result: 'found', reports: [] }
  const content = response.status === 200 ? readObject(response.body) : undefined
  if (!Array.isArray(content?.trackers)) return failureOf('EasyPost', response)
  const reports = recordsOf(content.trackers)
    .filter((tracker) => bareNumber(asText(tracker.tracking_code) ?? '') === bareNumber(parcel.trackingNumber))
    .map((tracker) => readTracker(tracker, parcel))
  // The newest comes first. Two carriers may use the same number; the parcel's own carrier wins.
  const report = reports.find(({ carrierReference }) => carrierReference === parcel.carrierReference) ?? reports[0]
  return { result: 'found', reports: report ? [report] : [] }
}

async function register(
  baseUrl: string,
  call: Call,
  account: ProviderAccount,
  parcel: TrackedParcel,
): Promise<RegisterResult> {
  const carrier = carriers.nameOf(parcel.carrierReference)
  const tracker = { tracking_code: bareNumber(parcel.trackingNumber), ...(carrier === undefined ? {} : { carrier }) }
  const response = await sendRequest(call, account, {
    method: 'POST',
    url: `${baseUrl}/trackers`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tracker }),
  })
  if ('result' in response) return response
  // An existing tracker is returned like a new one.
  const isThere = response.status >= 200 && response.status < 300 && asText(readObject(response.body)?.id) !== undefined
  return isThere ? { result: 'registered', follows: true } : failureOf('EasyPost', response)
}

async function sendRequest(call: Call, { credentials }: ProviderAccount, request: CallRequest) {
  const key = credentials.api_key
  if (!key) return noCredentials('EasyPost', 'api_key')
  const basic = basicOf(key, '')
  const headers = { accept: 'application/json', ...request.headers, authorization: `Basic ${basic}` }
  return redactSecrets(call, [key, basic])({ ...request, headers })
}
