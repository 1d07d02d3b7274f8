import { randomUUID } from 'node:crypto'
import type { CallResponse } from '../../../platform/foundation/call.ts'
import { asObject, asText, readObject, recordsOf } from '../../../platform/foundation/read-json.ts'
import { basicOf } from '../../../platform/foundation/secrets.ts'
import { createCallWithToken } from '../bearer.ts'
import { failureOf } from '../failures.ts'
import { joinLegs } from '../legs.ts'
import type { AdapterOptions, AdapterWith, TrackedParcel, TrackResult } from '../provider.ts'
import { bareNumber } from '../scans.ts'
import { readPackage } from './package.ts'

/** UPS error codes that mean "unknown parcel". */
const unknownNumber = new Set(['TW0001', 'TV1002', 'TV1003', 'TV1004', '151018', '151044', '151045'])

/** UPS's Track API, one parcel per request. */
export function create(options: AdapterOptions = {}): AdapterWith {
  const baseUrl = options.baseUrl ?? 'https://onlinetools.ups.com'
  const sendRequest = createCallWithToken({
    provider: 'UPS',
    tokenRequest: (clientId, clientSecret) => ({
      method: 'POST',
      url: `${baseUrl}/security/v1/oauth/token`,
      headers: {
        authorization: `Basic ${basicOf(clientId, clientSecret)}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    }),
    now: options.now,
  })
  return {
    async track(call, account, [parcel]) {
      if (parcel === undefined) return { result: 'found', reports: [] }
      const number = encodeURIComponent(bareNumber(parcel.trackingNumber))
      const response = await sendRequest(call, account, {
        method: 'GET',
        url: `${baseUrl}/api/track/v1/details/${number}?locale=en_US&returnSignature=false`,
        headers: { accept: 'application/json', transid: randomUUID(), transactionsrc: 'doorstep' },
      })
      return 'result' in response ? response : read(response, parcel)
    },
  }
}

function read(response: CallResponse, parcel: TrackedParcel): TrackResult {
  const content = readObject(response.body)
  const errors = recordsOf(asObject(content?.response)?.errors).map(({ code }) => asText(code) ?? '')
  const isUnknown =
    response.status === 404 || (response.status === 400 && errors.some((code) => unknownNumber.has(code)))
  if (isUnknown && content !== undefined) return { result: 'found', reports: [] }
  const shipments = response.status === 200 ? asObject(content?.trackResponse)?.shipment : undefined
  if (!Array.isArray(shipments)) return failureOf('UPS', response)
  const packages = recordsOf(shipments).flatMap((shipment) => recordsOf(shipment.package))
  const wanted = packages.filter(
    (one) => bareNumber(asText(one.trackingNumber) ?? '') === bareNumber(parcel.trackingNumber),
  )
  // For a reference number UPS returns all parcels of the shipment.
  const found = wanted.length === 0 ? packages.slice(0, 1) : wanted
  const journey = joinLegs(found.map((one) => readPackage(one, parcel)))
  return { result: 'found', reports: journey ? [journey] : [] }
}
