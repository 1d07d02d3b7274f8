import { eventNames, getMeaning } from '../../catalogue/catalogue.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import type { Language } from '../../foundation/languages.ts'
import type {} from '../../notifications/payload-builder.ts'
import type { RecordedEvent } from '../../notifications/recorded-event.ts'
import { composeMail } from '../customer-mail/compose.ts'
import type { MailGroup } from '../customer-mail/groups.ts'
import type { MailView } from '../customer-mail/view.ts'
import { hidesPages, lookupAddress } from '../page-addresses/hide-tokens.ts'
import type { Payload } from '../payloads/payload.ts'
import { findMailSubject, type MailSubject } from './subject-store.ts'

/** The message that the customer of an order would get if the group's event happened now. Nothing is published. */
export async function viewOfOrder(
  context: ShopContext,
  orderId: string,
  group: MailGroup,
  language: Language,
): Promise<MailView> {
  const subject = await findMailSubject(context, orderId)
  if (subject === undefined) throw new ApiError('order_not_found', `There is no order with the id ${orderId}.`)
  const [built] = await context.services.payloads.build(context, [eventOf(context, orderId, group, subject)])
  const view =
    built &&
    (await composeMail(context, {
      shopId: context.shop.id,
      deliveryId: newId(context.now),
      eventGroup: group.name,
      payload: JSON.parse(built.body) as Payload, // what the builder has just written
      wantsPromotion: true,
      unsubscribeUrl: context.services.publicUrl,
      ...(hidesPages(context) ? { trackingUrl: lookupAddress(context, context.shop) } : {}),
      language,
    }))
  if (!view) throw invalid(['body', 'order_id'], 'There is nothing to say about this order in such a message.')
  return { ...view, language }
}

function eventOf(
  context: ShopContext,
  orderId: string,
  { name, about }: MailGroup,
  { shipmentId, claimId }: MailSubject,
): RecordedEvent {
  const isAboutClaim = about === 'claim' || about === 'withdrawal'
  if (isAboutClaim && claimId === null) throw invalid(['body', 'order_id'], 'This order has no claim.')
  if (shipmentId === null) throw invalid(['body', 'order_id'], 'This order has no parcel.')
  const eventName = isAboutClaim ? 'CLAIM_UPDATED' : eventNameOf(name)
  return {
    source: isAboutClaim ? 'claims' : 'shipments',
    shopId: context.shop.id,
    orderId,
    shipmentId,
    ...(isAboutClaim && claimId !== null ? { claimId } : {}),
    eventName,
    ref: isAboutClaim ? 'claims/updated' : `shipments/${getMeaning(eventName).phase}/${eventName}`,
    eventGroup: name,
    additionalGroup: null,
    isOncePerGroup: true,
    eventTime: context.now,
    now: context.now,
  }
}

/** An event that is published under the group; a trigger of the shop can be about any. */
function eventNameOf(group: string): string {
  const found = eventNames.find((name) => {
    const meaning = getMeaning(name)
    return meaning.group === group || meaning.returnGroup === group
  })
  return found ?? 'OUT_FOR_DELIVERY'
}
