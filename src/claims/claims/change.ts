import type { Context } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { recordAutomatedChange } from './audit.ts'
import { unsignedImageUrl } from './images.ts'
import { publishClaims } from './publish.ts'
import { describeTransitions, isAllowedTransition, mapImageUrls, toStoredDetails } from './rules.ts'
import type { ClaimCreation, ClaimStatus, ClaimUpdate } from './schema.ts'
import { insertClaim, type LockedClaim, lockClaim, type NewWithdrawal, updateClaim } from './store.ts'

/** The shipment that a claim is about. */
export interface ClaimedShipment {
  shopId: string
  id: string
  orderId: string
}

export type ClaimFields = Omit<ClaimCreation, 'shipment_id' | 'tracking_number'>

/** Creates a claim about a shipment, or a withdrawal, and enqueues its notifications, in one transaction. Returns the claim's id. */
export async function createClaimFor(
  context: Context,
  shipment: ClaimedShipment,
  fields: ClaimFields,
  { id = newId(context.now), withdrawal }: { id?: string; withdrawal?: NewWithdrawal } = {},
): Promise<string> {
  return inTransaction(context, async (context) => {
    await insertClaim(context, {
      shopId: shipment.shopId,
      id,
      orderId: shipment.orderId,
      shipmentId: shipment.id,
      reason: fields.reason,
      resolutionPreference: fields.resolution_preference ?? null,
      status: fields.status ?? 'pending',
      description: fields.description ?? null,
      details: mapImageUrls(toStoredDetails(fields), (url) => unsignedImageUrl(context, url)),
      withdrawal,
      now: context.now,
    })
    await publishClaims(context, [
      {
        shopId: shipment.shopId,
        claimId: id,
        orderId: shipment.orderId,
        shipmentId: shipment.id,
        action: withdrawal === undefined ? 'created' : 'withdrawn',
        now: context.now,
      },
    ])
    const { reason, resolution_preference, status = 'pending' } = fields
    const claim = { shipment_id: shipment.id, reason, resolution_preference, status }
    const key = { shopId: shipment.shopId, id }
    await recordAutomatedChange(context, key, 'createClaim', { before: undefined, after: claim })
    return id
  })
}

export interface ClaimKey {
  shopId: string
  id: string
}

/**
 * Updates the given fields of a claim and enqueues its notifications. An update that changes nothing notifies no one.
 * Returns false if there is no such claim; throws if the status cannot follow the current one.
 */
export async function changeClaim(context: Context, { shopId, id }: ClaimKey, given: ClaimUpdate): Promise<boolean> {
  return inTransaction(context, async (context) => {
    const claim = await lockClaim(context, shopId, id)
    if (claim === undefined) return false
    if (given.status && !isAllowedTransition(claim.status, given.status)) {
      throw invalid(['body', 'status'], `must be a status that can follow: ${describeTransitions(claim.status)}`)
    }
    const changes = changesOf(claim, given)
    if (Object.keys(changes).length === 0) return true
    await updateClaim(context, shopId, id, changes)
    const { orderId, shipmentId } = claim
    await publishClaims(context, [{ shopId, claimId: id, orderId, shipmentId, action: 'updated', now: context.now }])
    const after = { ...claim, ...changes }
    await recordAutomatedChange(context, { shopId, id }, 'updateClaim', { before: claim, after })
    return true
  })
}

/** Changes the status if that transition is allowed. Returns whether it has changed. */
export async function updateClaimStatus(context: Context, key: ClaimKey, status: ClaimStatus): Promise<boolean> {
  return inTransaction(context, async (context) => {
    const claim = await lockClaim(context, key.shopId, key.id)
    if (claim === undefined || claim.status === status || !isAllowedTransition(claim.status, status)) return false
    return changeClaim(context, key, { status })
  })
}

/** A claim always has a status, so null leaves it unchanged. Null clears the other fields. */
function changesOf(claim: LockedClaim, given: ClaimUpdate): Parameters<typeof updateClaim>[3] {
  const { status, resolution_preference, description, reply } = given
  return {
    ...(status && status !== claim.status ? { status } : {}),
    ...(resolution_preference !== undefined && resolution_preference !== claim.resolution_preference
      ? { resolution_preference }
      : {}),
    ...(description !== undefined && description !== claim.description ? { description } : {}),
    ...(reply !== undefined && reply !== claim.reply ? { reply } : {}),
  }
}
