import { after, dayMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { findStoredImages, makeImagesPermanent } from '../images/store.ts'
import { type ClaimFields, createClaimFor } from './change.ts'
import { countClaimsSince, findFiledClaim, hasOpenClaim, lockOrderToClaim } from './form-store.ts'

/** More than any parcel gives reason for, and few enough that nobody buries a shop in them. */
export const claimsADay = 5

/** A claim as a customer files it, under the id that the form was given out with. */
export interface Filing {
  id: string
  orderId: string
  shipmentId: string
  fields: ClaimFields
  /** The uploads that the claim takes over. */
  imageKeys: readonly string[]
}

export type FilingOutcome = 'filed' | 'filed_before' | 'open_already' | 'too_many' | 'images_gone'

/**
 * Files a claim for a customer: once for each id, one open claim for a parcel and a reason, so many a day for an order.
 * Whoever is told of claims is told in the same transaction.
 */
export async function fileClaim(context: ShopContext, filing: Filing): Promise<FilingOutcome> {
  const { id, orderId, shipmentId, fields, imageKeys } = filing
  return inTransaction(context, async (context) => {
    await lockOrderToClaim(context, orderId)
    if (await findFiledClaim(context, id)) return 'filed_before'
    if ((await findStoredImages(context, imageKeys)).size < new Set(imageKeys).size) return 'images_gone'
    if (await hasOpenClaim(context, shipmentId, fields.reason)) return 'open_already'
    if ((await countClaimsSince(context, orderId, after(context.now, -dayMs))) >= claimsADay) return 'too_many'
    const shipment = { shopId: context.shop.id, id: shipmentId, orderId }
    await createClaimFor(context, shipment, fields, id)
    await makeImagesPermanent(context, imageKeys)
    return 'filed'
  })
}
