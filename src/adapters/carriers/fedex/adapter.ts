import type { CallResponse } from '../../../platform/foundation/call.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { createCallWithToken } from '../bearer.ts'
import { failureOf } from '../failures.ts'
import { joinLegs } from '../legs.ts'
import type { AdapterOptions, AdapterWith, ParcelReport, TrackedParcel, TrackResult } from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { readResult } from './result.ts'

/** FedEx's Track API, up to 30 parcels per request. */
export function create(options: AdapterOptions = {}): AdapterWith {
  const baseUrl = options.baseUrl ?? 'https://apis.fedex.com'
  const sendRequest = createCallWithToken({
    provider: 'FedEx',
    tokenRequest: (client_id, client_secret) => ({
      method: 'POST',
      url: `${baseUrl}/oauth/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
    }),
    now: options.now,
  })
  return {
    async track(call, account, parcels) {
      const trackingInfo = parcels.map(({ trackingNumber }) => ({
        trackingNumberInfo: { trackingNumber: bareNumber(trackingNumber) },
      }))
      const response = await sendRequest(call, account, {
        method: 'POST',
        url: `${baseUrl}/track/v1/trackingnumbers`,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-locale': 'en_US' },
        body: JSON.stringify({ includeDetailedScans: true, trackingInfo }),
      })
      return 'result' in response ? response : read(response, parcels)
    },
  }
}

function read(response: CallResponse, parcels: readonly TrackedParcel[]): TrackResult {
  const output = response.status === 200 ? asObject(readObject(response.body)?.output) : undefined
  if (!Array.isArray(output?.completeTrackResults)) return failureOf('FedEx', response)
  const complete = recordsOf(output.completeTrackResults)
  const reports: ParcelReport[] = []
  let isUnclear = false
  for (const parcel of parcels) {
    const results = complete
      .filter(({ trackingNumber }) => bareNumber(asText(trackingNumber) ?? '') === bareNumber(parcel.trackingNumber))
      .flatMap(({ trackResults }) => recordsOf(trackResults))
    const problems = results.map(({ error }) => asText(asObject(error)?.code)).filter((code) => code !== undefined)
    isUnclear ||= problems.some((code) => !isUnknownNumber(code))
    const found = results
      .filter(({ error }) => asObject(error) === undefined)
      .map((result) => readResult(result, parcel))
    const journey = joinLegs(found)
    if (journey) reports.push(journey)
  }
  // A failed number does not affect the others. If all failed, it is FedEx's failure.
  if (reports.length === 0 && isUnclear) return failureOf('FedEx', { ...response, status: 502 })
  return { result: 'found', reports }
}

function isUnknownNumber(code: string): boolean {
  return /^TRACKING\.(TRACKINGNUMBER|REFERENCENUMBER|DATA)\.(NOTFOUND|INVALID|EMPTY)$/.test(code)
}
