import type { Call, CallRequest } from '../../../platform/foundation/call.ts'
import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { basicOf, redactSecrets } from '../../../platform/foundation/secrets.ts'
import { failureOf, noCredentials } from '../failures.ts'
import type {
  AdapterOptions,
  AdapterWith,
  ProviderAccount,
  PushedMessage,
  RegisterResult,
  TrackedParcel,
  TrackResult,
  WebhookReading,
} from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { carriers } from './carriers.ts'
import { readTracker } from './tracker.ts'

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

const trackingEvents = new Set(['tracker.created', 'tracker.updated'])

/** The signature is the hexadecimal HMAC-SHA256 of the raw body, with the webhook's secret. */
function readWebhook({ bytes, headers }: PushedMessage, secret: string): WebhookReading {
  const signature = headers['x-hmac-signature']
  const expected = `hmac-sha256-hex=${hmacSha256(secret.normalize('NFKD'), bytes).toString('hex')}`
  if (secret === '' || typeof signature !== 'string' || !isSame(signature.trim(), expected)) {
    return { result: 'wrong signature' }
  }
  const event = readObject(bytes.toString('utf8'))
  if (event === undefined) return { result: 'unreadable', detail: 'the body is no JSON object' }
  if (!trackingEvents.has(asText(event.description) ?? '')) return { result: 'ignored' }
  const tracker = asObject(event.result)
  const trackingNumber = asText(tracker?.tracking_code)
  if (trackingNumber === undefined || tracker === undefined) {
    return { result: 'unreadable', detail: 'result has no tracking_code' }
  }
  return { result: 'read', reports: [{ trackingNumber, read: (parcel) => readTracker(tracker, parcel) }] }
}
