import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { publishTo } from '../../delivery/receivers/publish.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { isSameAddress, mailboxOf } from '../../platform/foundation/mail-address.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { AttemptLimit } from '../../platform/store/attempts.ts'
import { type ClaimedShipment, createClaimFor } from '../claims/change.ts'
import { findFiledClaim, lockOrderForClaim } from '../claims/form-store.ts'
import { claimEvents } from '../claims/publish.ts'
import type { StoredStatement } from '../claims/rules.ts'
import type { NewWithdrawal } from '../claims/store.ts'
import { findOrderToWithdraw } from './find.ts'
import { type ChosenItem, isWholeOrder, toClaimedItems } from './items.ts'
import { countReceiptsToOthers, findOrderEmail } from './receipt-store.ts'
import { isLate } from './rules.ts'

/** A statement as the customer has confirmed it. Its id was assigned when the page asked them to. */
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
    const withdrawal: NewWithdrawal = {
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
    }
    await createClaimFor(context, shipment, fields, { id, withdrawal })
    if (receipt) await sendReceipts(context, id, shipment, receipt)
    return 'stated'
  })
}

/** To whom the receipt of a withdrawal goes by mail. */
interface ReceiptPlan {
  /** `other`: the address that was given is not the order's. `none`: that one gets no mail any more. */
  to: NonNullable<StoredStatement['receipt']>
  /** Whether the order's own address gets a copy. */
  hasCopy: boolean
}

/** The link to an order must not become a way to send mail to anybody: these limits are for addresses that are not the order's. */
const maxToOthers = 2
const ofRecipient: AttemptLimit = { name: 'receipts to a recipient', limit: 3, windowMs: dayMs }

/** The caller has locked the order, so that two statements do not both take its last receipt. */
async function planReceipt(context: ShopContext, orderId: string, email: string): Promise<ReceiptPlan> {
  const own = await findOrderEmail(context, orderId)
  if (own !== null && isSameAddress(own, email)) return { to: 'order', hasCopy: false }
  const hasCopy = own !== null && own.trim() !== ''
  const mayGo = (await countReceiptsToOthers(context, orderId)) < maxToOthers && (await countRecipient(context, email))
  return { to: mayGo ? 'other' : 'none', hasCopy }
}

async function countRecipient(context: ShopContext, email: string): Promise<boolean> {
  const attempt = { limit: ofRecipient, subject: mailboxOf(email) ?? email }
  return (await context.services.attempts.count(context, [attempt])).waitSeconds === 0
}

/** The law wants a receipt at once, whatever else the shop sends by mail. */
async function sendReceipts(
  context: ShopContext,
  claimId: string,
  { shopId, orderId, id: shipmentId }: ClaimedShipment,
  { to, hasCopy }: ReceiptPlan,
): Promise<void> {
  const receipt: RecordedEvent = {
    source: 'claims',
    shopId,
    orderId,
    shipmentId,
    claimId,
    ...claimEvents.created,
    eventGroup: receiptGroup,
    additionalGroup: null,
    isOncePerGroup: false,
    eventTime: context.now,
    now: context.now,
  }
  const copy: RecordedEvent = { ...receipt, isCopyToCustomer: true }
  const events = [...(to === 'none' ? [] : [receipt]), ...(hasCopy ? [copy] : [])]
  const receivers = [{ receiverId: 'smtp', eventGroup: receiptGroup, oncePer: null, conditions: null }]
  await publishTo(
    context,
    events.map((event) => ({ event, receivers })),
  )
}

const receiptGroup = 'withdrawal_received'
