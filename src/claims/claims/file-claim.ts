import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findUnexpiredImages, makeImagesPermanent } from '../../shops/images/store.ts'
import { type ClaimFields, createClaimFor } from './change.ts'
import { countClaimsSince, findFiledClaim, hasOpenClaim, lockOrderForClaim } from './form-store.ts'

/** Claims that a customer can file per order and day: more than an order needs, too few to flood a shop. */
export const claimsPerDay = 5

/** A claim as a customer files it. Its id was assigned when the form was rendered. */
export interface Filing {
  id: string
  orderId: string
  shipmentId: string
  fields: ClaimFields
  /** Uploaded images that become part of the claim. */
  imageKeys: readonly string[]
}

/** Reasons why a claim cannot be filed. */
export type FilingObstacle = 'filed_before' | 'open_already' | 'too_many' | 'images_gone'

/**
 * Files a claim for a customer: once per id, at most one open claim per parcel and reason, and a limited number per order
 * and day. Its notifications are enqueued in the same transaction.
 */
export async function fileClaim(context: ShopContext, filing: Filing): Promise<'filed' | FilingObstacle> {
  const { id, orderId, shipmentId, fields, imageKeys } = filing
  return inTransaction(context, async (context) => {
    await lockOrderForClaim(context, orderId)
    const obstacle = await findObstacle(context, filing)
    if (obstacle) return obstacle
    const shipment = { shopId: context.shop.id, id: shipmentId, orderId }
    await createClaimFor(context, shipment, fields, { id })
    await makeImagesPermanent(context, imageKeys)
    return 'filed'
  })
}

/**
 * The reason why this claim cannot be filed now; outside its transaction, it may change until the claim is filed.
 * Whether it was filed before is looked up last: the same form, sent at the same moment, must not find itself to be the
 * open claim.
 */
export async function findObstacle(context: ShopContext, filing: Filing): Promise<FilingObstacle | undefined> {
  const obstacle = await findOtherObstacle(context, filing)
  return (await findFiledClaim(context, filing.id)) ? 'filed_before' : obstacle
}

async function findOtherObstacle(
  context: ShopContext,
  { orderId, shipmentId, fields, imageKeys }: Filing,
): Promise<Exclude<FilingObstacle, 'filed_before'> | undefined> {
  if ((await findUnexpiredImages(context, imageKeys)).size < new Set(imageKeys).size) return 'images_gone'
  if (await hasOpenClaim(context, shipmentId, fields.reason)) return 'open_already'
  if ((await countClaimsSince(context, orderId, after(context.now, -dayMs))) >= claimsPerDay) return 'too_many'
  return undefined
}
