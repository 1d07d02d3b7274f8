import { findMailAccount } from '../../credentials/mail-account/account.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type ClaimedShipment, createClaimFor } from '../claims/change.ts'
import { findFiledClaim, lockOrderForClaim } from '../claims/form-store.ts'
import { findOrderToWithdraw } from './find.ts'
import { type ChosenItem, isWholeOrder, toClaimedItems } from './items.ts'
import { planReceipt, sendReceipts } from './receipts.ts'
import { isLate } from './rules.ts'

/** A statement as the customer has confirmed it. Its id was assigned when they were asked to. */
export interface Statement {
  id: string
  orderId: string
  name: string
  email: string
  language: Language
  /** Empty if the order does not say what it is about: then it is the whole order. */
  items: readonly ChosenItem[]
  /** The words that the customer has read and confirmed. */
  text: string
}

/** changed: what is stated cannot be withdrawn from any more, so that nothing was recorded. */
export type StatementOutcome = 'stated' | 'stated_before' | 'changed'

/**
 * Records a withdrawal once per id: the claim, its notifications and the customer's receipt, in one transaction. A late one
 * is recorded as well; the shop decides about it.
 */
export async function stateWithdrawal(context: ShopContext, statement: Statement): Promise<StatementOutcome> {
  const { id, orderId, name, email, language, items: chosen, text } = statement
  const hasMail = (await findMailAccount(context, context.shop.id)) !== undefined
  return inTransaction(context, async (context) => {
    await lockOrderForClaim(context, orderId)
    if (await findFiledClaim(context, id)) return 'stated_before'
    const found = await findOrderToWithdraw(context, orderId)
    if (found === undefined || found.obstacle !== undefined || !found.settings.enabled) return 'changed'
    const { order, period, items } = found
    const claimed = toClaimedItems(items, chosen)
    if (claimed === undefined || (claimed.length === 0 && items.length > 0)) return 'changed'
    const receipt = hasMail ? await planReceipt(context, orderId, email) : undefined
    const shipment: ClaimedShipment = {
      shopId: context.shop.id,
      orderId,
      // An order with nothing to send has no shipment; its own id stands for it.
      id: order.shipments[0]?.id ?? orderId,
    }
    const fields = { reason: 'return', resolution_preference: 'refund', selected_items: claimed } as const
    await createClaimFor(context, shipment, fields, id, {
      isLate: isLate(period, context.now),
      statement: {
        name,
        email,
        language,
        time_zone: period.timeZone,
        last_day: period.lastDay,
        is_whole_order: isWholeOrder(items, chosen),
        text,
        items: [...chosen],
        receipt: receipt?.to ?? 'none',
      },
    })
    if (receipt) await sendReceipts(context, id, shipment, receipt)
    return 'stated'
  })
}
