import type { Call } from '../../platform/foundation/call.ts'
import { systemClock } from '../../platform/foundation/clock.ts'
import {
  type CheckOutcome,
  checkFailure,
  checkResultOf,
  missingCredentials,
} from '../../platform/foundation/connection-check.ts'
import type { ProviderAccount, TrackingAdapter } from './provider.ts'

/**
 * Queries a parcel, which is all that the credentials are used for and changes nothing. A provider that does not know the
 * number has accepted the credentials.
 */
export function checkByTracking(
  track: TrackingAdapter['track'],
  sample: { carrierReference: string; trackingNumber: string },
) {
  return async (call: Call, account: ProviderAccount): Promise<CheckOutcome> => {
    const now = systemClock.now()
    const parcel = { ...sample, zipCode: null, countryCode: null, fulfilledAt: now, now }
    const tracked = await track(call, account, [parcel])
    if (tracked.result === 'found') {
      return { result: 'ok', reason: null, status: 200, detail: null, facts: {}, missingPermissions: [] }
    }
    const { status, detail } = tracked
    // Nothing was sent.
    if (status === 0) return missingCredentials
    // It rejects the sample, and not the credentials.
    if (tracked.result === 'rejected' && tracked.key === 'invalid_payload') {
      return checkFailure(status === 404 ? 'not_found' : 'unexpected', detail, status)
    }
    const result =
      tracked.key === 'partner_key_missing_permissions' && status === 400 ? 'unauthorised' : checkResultOf(status)
    return checkFailure(result === 'ok' ? 'unexpected' : result, detail, status)
  }
}
