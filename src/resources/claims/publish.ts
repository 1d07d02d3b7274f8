import type { Context } from '../../foundation/context.ts'
import { publish } from '../../notifications/publish.ts'

/** A claim that this transaction created or updated. */
export interface RecordedClaim {
  shopId: string
  claimId: string
  orderId: string
  shipmentId: string
  action: 'created' | 'updated'
  now: Date
}

/** Enqueues the deliveries about claims, in the transaction that writes them. */
export async function publishClaims(context: Context, claims: RecordedClaim[]): Promise<void> {
  await publish(
    context,
    claims.map(({ action, ...claim }) => ({
      ...claim,
      source: 'claims',
      eventName: action === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED',
      ref: `claims/${action}`,
      eventGroup: `claim_${action}`,
      additionalGroup: null,
      // A parcel may have several claims, and receivers need every change of each.
      isOncePerGroup: false,
      eventTime: claim.now,
    })),
  )
}
