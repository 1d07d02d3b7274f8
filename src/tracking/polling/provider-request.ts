import type { ProviderAccount, ProviderFailure } from '../../adapters/carriers/provider.ts'
import type { TrackingProvider } from '../../adapters/carriers/registry.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { CredentialHostError, guardCredentials } from '../../platform/foundation/credential-hosts.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import type { LeasedParcel } from '../scans/parcel-store.ts'
import { toParcel } from '../scans/poll-result.ts'

/** From the first packet to the end of the response. */
const callLimitMs = 10 * secondMs
const maxBodyBytes = 4_000_000

/** One request about parcels: registers one for pushes, or queries what is known of some. */
export interface ProviderRequest {
  isRegistration: boolean
  parcels: LeasedParcel[]
}

export type ProviderResponse =
  | Awaited<ReturnType<TrackingProvider['track']>>
  | { result: 'registered'; follows: boolean }
  | ProviderFailure

export function isFailure(response: ProviderResponse): response is ProviderFailure {
  return response.result === 'failed' || response.result === 'rejected'
}

/**
 * Builds the requests for leased parcels: registrations one by one; parcels that failed before alone, so that one which
 * the provider rejects does not block others; all others in batches as large as the provider accepts.
 */
export function toRequests(provider: TrackingProvider, parcels: LeasedParcel[]): ProviderRequest[] {
  const isNew = (parcel: LeasedParcel) => provider.register !== undefined && parcel.registeredWith !== provider.name
  const requests: ProviderRequest[] = []
  const together: LeasedParcel[] = []
  for (const parcel of parcels) {
    if (isNew(parcel)) requests.push({ isRegistration: true, parcels: [parcel] })
    else if (parcel.failures > 0) requests.push({ isRegistration: false, parcels: [parcel] })
    else together.push(parcel)
  }
  for (let from = 0; from < together.length; from += provider.parcelsPerRequest) {
    requests.push({ isRegistration: false, parcels: together.slice(from, from + provider.parcelsPerRequest) })
  }
  return requests
}

/** Calls a provider. A missing response counts as a failure. */
export async function callProvider(
  context: Context,
  outgoing: Outgoing,
  { provider, account }: { provider: TrackingProvider; account: ProviderAccount },
  request: ProviderRequest,
): Promise<ProviderResponse> {
  const call = guardCredentials(
    (wanted) => outgoing.call({ ...wanted, limitMs: callLimitMs, maxBodyBytes }),
    provider,
    context.services.credentialHosts,
  )
  const parcels = request.parcels.map((parcel) => toParcel(parcel, context.now))
  try {
    const [first] = parcels
    if (request.isRegistration && provider.register && first) return await provider.register(call, account, first)
    return await provider.track(call, account, parcels)
  } catch (error) {
    if (error instanceof CredentialHostError) {
      return { result: 'rejected', status: 0, key: 'partner_key_missing_permissions', detail: error.message }
    }
    if (!(error instanceof OutgoingError)) {
      context.log.error({ err: error, provider: provider.name }, 'the adapter of a tracking provider failed')
    }
    const detail = error instanceof OutgoingError ? error.message : 'the adapter failed; the log has the cause'
    return { result: 'failed', status: 0, key: 'bad_gateway', detail }
  }
}
