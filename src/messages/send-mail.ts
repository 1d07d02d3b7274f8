import { type FoundMailAccount, findMailAccount } from '../credentials/mail-account/account.ts'
import { mailSettings } from '../credentials/mail-account/settings-store.ts'
import { failed, type Postponement, type SendResult } from '../delivery/queue/attempt.ts'
import type { Delivery } from '../delivery/queue/delivery.ts'
import { noCredentials } from '../delivery/queue/failure-reason.ts'
import type { Sender } from '../delivery/sending/sender.ts'
import { nameServer } from '../delivery/sending/trace-attempt.ts'
import { after, secondMs } from '../platform/foundation/clock.ts'
import type { Context } from '../platform/foundation/context.ts'
import { toOneLine } from '../platform/foundation/mail-address.ts'
import type { Span } from '../platform/foundation/tracing.ts'
import { domainOf, isMailAddress } from '../platform/mail/addresses.ts'
import type { MailOutcome, MailProblem } from '../platform/mail/mailer.ts'
import type { MailMessage } from '../platform/mail/message.ts'
import type { Stage } from '../platform/outgoing/errors.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import { composeMail } from './customer-mail/compose.ts'
import type { MailView } from './customer-mail/view.ts'
import { recipientState, recordRejection } from './recipients/state.ts'
import { unsubscribeHeaders } from './recipients/unsubscribe.ts'
import { returnPathOf } from './recipients/verp.ts'
import { renderMail } from './rendering/render.ts'
import { decideTiming, recordSent } from './timing/decide.ts'

type Ended = SendResult | Postponement

/** Sends events to customers as e-mail. What a mail server rejects for good is not tried again. */
export function createMailSender(): Sender {
  return {
    integration: 'smtp',
    async send(context, delivery, startedAt, span) {
      try {
        return await sendMail(context, delivery, startedAt, span)
      } catch (error) {
        context.log.error({ err: error, delivery: delivery.id }, 'the message could not be made')
        return failed('retry', 'send', 'the message could not be made; the log has the cause')
      }
    },
  }
}

async function sendMail(context: Context, delivery: Delivery, startedAt: Date, span?: Span): Promise<Ended> {
  const { shopId, id: deliveryId, eventGroup } = delivery
  const payload = JSON.parse(delivery.body.toString()) as Payload // written by the payload builder only
  const to = payload.context.customer.email?.trim() ?? ''
  if (to === '') return failed('skipped', null, 'the customer has no e-mail address')
  if (!isMailAddress(to)) return failed('skipped', null, "the customer's e-mail address is malformed")
  const found = await findMailAccount(context, shopId)
  if (found === undefined) return failed('give up', null, `${noCredentials} smtp`)

  const { isSuppressed, wantsPromotion } = await recipientState(context, shopId, to)
  if (isSuppressed) return failed('skipped', null, 'this address gets no e-mail: it bounced or complained')
  const timing = await decideTiming(context, delivery, payload, startedAt)
  if ('wait' in timing) return { verdict: 'wait', until: timing.wait }
  if ('skip' in timing) return failed('skipped', null, timing.skip)

  const view = await composeMail(context, { shopId, deliveryId, eventGroup, payload, wantsPromotion })
  if (view === undefined) return failed('skipped', null, 'there is no message about this event')
  const { bounce_domain: domain } = await mailSettings(context, shopId)
  const { account, message } = toMessage(found, view, {
    messageId: `${deliveryId}@${domainOf(found.account.fromAddress)}`,
    to,
    references: timing.references,
    returnPath: domain === null ? null : returnPathOf(context, { shopId, deliveryId, domain }),
  })
  if (span) nameServer(span, `smtp://${account.host}:${account.port}`)
  const outcome = await context.services.mailer.send(account, message)
  await note(context, delivery, message, outcome)
  return toOutcome(outcome, startedAt)
}

function toMessage(
  { account, source }: FoundMailAccount,
  view: MailView,
  envelope: Pick<MailMessage, 'messageId' | 'to' | 'references' | 'returnPath'>,
) {
  const { subject, html, text } = renderMail(view)
  const message: MailMessage = {
    ...envelope,
    toName: view.customer.fullName,
    subject: toOneLine(subject),
    html,
    text,
    headers: headersOf(view),
  }
  if (source === 'shop') return { account, message }
  // With the installation's account, customers still see the shop's name and reply to the shop.
  const contact = view.shop.contactEmail
  const replyTo = contact !== null && isMailAddress(contact) ? contact : account.replyTo
  return { account: { ...account, replyTo }, message: { ...message, fromName: toOneLine(view.shop.name) } }
}

function headersOf({ promotion }: MailView): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(promotion === null ? {} : unsubscribeHeaders(promotion.unsubscribeUrl)),
  }
}

/** Records the outcome. If that fails, the message was sent all the same and must not be sent again. */
async function note(
  context: Context,
  { shopId, id: deliveryId }: Delivery,
  { messageId, to }: MailMessage,
  outcome: MailOutcome,
): Promise<void> {
  try {
    if (outcome.result === 'accepted') {
      await recordSent(context, { shopId, deliveryId, messageId, sentAt: context.services.clock.now() })
    } else if (outcome.result === 'rejected' && outcome.problem === 'recipient_rejected') {
      await recordRejection(context, shopId, to, outcome.response)
    }
  } catch (error) {
    context.log.error({ err: error, delivery: deliveryId }, 'the end of a message could not be recorded')
  }
}

/** How long to wait for an account that has too much to send. */
const busyMs = 2 * secondMs

const stages: Partial<Record<MailProblem, Stage>> = {
  unreachable: 'connect',
  private_address: 'connect',
  timeout: 'timeout',
  tls: 'tls',
}

function toOutcome(outcome: MailOutcome, startedAt: Date): Ended {
  if (outcome.result === 'accepted') {
    const statusCode = Number.parseInt(outcome.response, 10) || null
    return replied('delivered', statusCode, outcome.response, null)
  }
  const { result, code, response, problem } = outcome
  const verdict = result === 'rejected' ? 'give up' : 'retry'
  if (code !== null) return replied(verdict, code, response, problem)
  if (verdict === 'give up') return failed(verdict, null, response)
  // It has not been tried: our own limit was reached.
  if (problem === 'busy') return { verdict: 'wait', until: after(startedAt, busyMs) }
  return failed(verdict, stages[problem] ?? 'send', response)
}

function replied(
  verdict: SendResult['verdict'],
  statusCode: number | null,
  response: string,
  error: string | null,
): SendResult {
  const stage = verdict === 'delivered' ? null : 'status'
  return { verdict, statusCode, responseBody: response, stage, error, retryAfterMs: undefined }
}
