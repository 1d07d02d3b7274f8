import { publish } from '../../delivery/receivers/publish.ts'
import type { Context } from '../../platform/foundation/context.ts'

/** A claim that this transaction created or updated. */
export interface RecordedClaim {
  shopId: string
  claimId: string
  orderId: string
  shipmentId: string
  /** A withdrawal is published as a claim that was created, except to the customer, who gets a receipt. */
  action: 'created' | 'updated' | 'withdrawn'
  now: Date
}

/** The events of claims. */
export const claimEvents = {
  created: { eventName: 'CLAIM_CREATED', ref: 'claims/created', eventGroup: 'claim_created' },
  updated: { eventName: 'CLAIM_UPDATED', ref: 'claims/updated', eventGroup: 'claim_updated' },
} as const

/** Enqueues the deliveries about claims, in the transaction that writes them. */
export async function publishClaims(context: Context, claims: RecordedClaim[]): Promise<void> {
  await publish(
    context,
    claims.map(({ action, ...claim }) => ({
      ...claim,
      source: 'claims',
      ...claimEvents[action === 'updated' ? 'updated' : 'created'],
      ...(action === 'withdrawn' ? { notTo: 'smtp' } : {}),
      additionalGroup: null,
      // A parcel may have several claims, and receivers need every change of each.
      isOncePerGroup: false,
      eventTime: claim.now,
    })),
  )
}
