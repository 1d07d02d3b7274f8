import { publishTo } from '../../delivery/receivers/publish.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { isSameAddress, mailboxOf } from '../../platform/foundation/mail-address.ts'
import type { AttemptLimit } from '../../platform/store/attempts.ts'
import type { ClaimedShipment } from '../claims/change.ts'
import { claimEvents } from '../claims/publish.ts'
import type { StoredStatement } from '../claims/rules.ts'
import { countReceiptsToOthers, findOrderEmail } from './receipt-store.ts'

/** To whom the receipt of a withdrawal goes by mail. */
export interface ReceiptPlan {
  /** `other`: the address that was given is not the order's. `none`: that one gets no mail any more. */
  to: NonNullable<StoredStatement['receipt']>
  /** Whether the order's own address gets a copy. */
  hasCopy: boolean
}

/** The link to an order must not become a way to send mail to anybody: these limits are for addresses that are not the order's. */
const maxToOthers = 2
const ofRecipient: AttemptLimit = { name: 'receipts to a recipient', limit: 3, windowMs: dayMs }

/** The caller has locked the order, so that two statements do not both take its last receipt. */
export async function planReceipt(context: ShopContext, orderId: string, email: string): Promise<ReceiptPlan> {
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
export async function sendReceipts(
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
  const recipients = [{ target: 'smtp', eventGroup: receiptGroup, oncePer: null, conditions: null }]
  await publishTo(
    context,
    events.map((event) => ({ event, recipients })),
  )
}

const receiptGroup = 'withdrawal_received'
