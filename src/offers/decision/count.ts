import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { storeAssignment } from '../ab-tests/store.ts'
import { campaignNotFound } from '../campaigns/rules.ts'
import type { DecidedOffers } from './decide.ts'
import { type OfferedOrder, recordView } from './store.ts'

export interface CountedView {
  action: 'exposure' | 'click'
  /** Null: the customer saw no campaign. */
  campaignId: string | null
}

/**
 * Counts that the customer saw a campaign (null: none) or followed it. The variant comes from the decision and never
 * from the page, so that a caller cannot choose one.
 */
export async function countView(
  context: Context,
  order: Pick<OfferedOrder, 'id' | 'customer'> & { shop: { id: string } },
  { compiled, decision }: DecidedOffers,
  { action, campaignId }: CountedView,
): Promise<void> {
  // A page rendered before a change reports what it showed; that counts for the campaign but not for a test.
  const test = decision.test?.campaignId === campaignId ? decision.test : null
  if (campaignId !== null && !compiled.campaignsById.has(campaignId)) throw campaignNotFound(campaignId)
  const subjectId = campaignId ?? test?.id
  if (subjectId === undefined) return
  const who = { shopId: order.shop.id, customer: order.customer }
  await inTransaction(context, async (context) => {
    if (test) await storeAssignment(context, { ...who, testId: test.id, campaignId: test.campaignId })
    await recordView(context, { ...who, orderId: order.id, action, subjectId, testId: test?.id ?? null })
  })
}
