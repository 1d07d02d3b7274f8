import { mailSettings } from '../../credentials/mail-account/settings-store.ts'
import type {} from '../../delivery/receivers/payload-builder.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { hidesPages, lookupAddress } from '../../orders/page-addresses/hide-tokens.ts'
import { eventNames, getMeaning } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid, type Problem } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { getSettings } from '../../shops/settings/store.ts'
import type { Payload } from '../../webhooks/payloads/payload.ts'
import { composeMail, shopOf } from '../customer-mail/compose.ts'
import type { MailGroup } from '../customer-mail/groups.ts'
import { type MailSample, mailSamples, sampleView } from '../customer-mail/samples.ts'
import type { MailTemplate, MailView, RenderedMail } from '../customer-mail/view.ts'
import { renderMail } from '../rendering/render.ts'
import { problemsOf } from './rules.ts'
import type { MailTemplateFields } from './schema.ts'
import { findTemplate } from './store.ts'
import { findMailSubject, type MailSubject } from './subject-store.ts'

/** A message that somebody wants to see. */
interface PreviewedMail {
  group: MailGroup
  language: Language
  /** Undefined: as it is stored. */
  template: MailTemplate | undefined
  /** An order of the shop, or a made-up one. */
  order: { id: string } | { sample: MailSample }
}

/** The message exactly as it would be sent. */
export async function previewMail(
  context: ShopContext,
  { group, language, template, order }: PreviewedMail,
): Promise<RenderedMail> {
  const view =
    'id' in order
      ? await viewOfOrder(context, order.id, group, language)
      : await viewOfSample(context, order.sample, group, language)
  return renderMail({
    ...view,
    template: template ?? (await findTemplate(context, context.shop.id, group.name, language)),
  })
}

/** The template of a request, or an error with everything that is wrong with it. `at` is where it is in the request. */
export function checkTemplate(group: MailGroup, fields: MailTemplateFields, at: readonly string[]): MailTemplate {
  const template = toTemplate(fields)
  rejectAny(problemsOf(group, template, at))
  return template
}

/**
 * Renders a template with every made-up order. The renderer must not meet it for the first time when a customer's message
 * is due.
 */
export async function checkRendering(
  context: ShopContext,
  group: MailGroup,
  language: Language,
  template: MailTemplate,
): Promise<void> {
  for (const sample of mailSamples) {
    const view = await viewOfSample(context, sample, group, language)
    const problem = problemOfRendering(context, () => renderMail({ ...view, template }))
    if (problem) rejectAny([{ loc: ['body', problem.field], msg: problem.msg, type: 'value_error' }])
  }
}

function problemOfRendering(
  context: ShopContext,
  render: () => RenderedMail,
): { field: string; msg: string } | undefined {
  let mail: RenderedMail
  try {
    mail = render()
  } catch (error) {
    context.log.error({ err: error }, 'a template that passed all checks could not be rendered')
    return { field: 'introduction', msg: 'This text cannot be shown. Please write it differently.' }
  }
  if (mail.subject.trim() === '') {
    return { field: 'subject', msg: 'is blank for orders without this detail. Add words of your own.' }
  }
  return /\p{Cc}/u.test(mail.subject) ? { field: 'subject', msg: 'must be one line, without line breaks.' } : undefined
}

function rejectAny(problems: Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new ApiError('invalid_payload', `${first.loc.slice(1).join('.')}: ${first.msg}`, { problems })
}

function toTemplate({ subject, preheader, heading, introduction, footer, blocks }: MailTemplateFields): MailTemplate {
  return {
    subject: tidy(subject),
    preheader: tidy(preheader),
    heading: tidy(heading),
    introduction: tidy(introduction),
    footer: tidy(footer),
    blocks: blocks ?? null,
  }
}

/** Line ends of any system become ours. */
function tidy(text: string | null | undefined): string | null {
  return text?.replaceAll('\r\n', '\n') ?? null
}

/** A message about a made-up order, from this shop. */
async function viewOfSample(
  context: ShopContext,
  sample: MailSample,
  { name: group }: MailGroup,
  language: Language,
): Promise<MailView> {
  const { shop, now, services } = context
  const { palette } = await getSettings(context, shop.id)
  const settings = await mailSettings(context, shop.id)
  return sampleView(sample, { group, language, now, shop: shopOf(services.publicUrl, shop, palette, settings) })
}

/** The message that the customer of an order would get if the group's event happened now. Nothing is published. */
async function viewOfOrder(
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
