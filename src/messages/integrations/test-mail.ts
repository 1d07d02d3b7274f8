import { findMailAccount } from '../../credentials/mail-account/account.ts'
import type { FailureReason } from '../../delivery/queue/failure-reason.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { toOneLine } from '../../platform/foundation/mail-address.ts'
import { domainOf } from '../../platform/mail/addresses.ts'
import type { MailProblem } from '../../platform/mail/mailer.ts'
import { samplePayload } from '../../webhooks/payloads/sample.ts'
import { composeMail } from '../customer-mail/compose.ts'
import { renderMail } from '../rendering/render.ts'
import type { IntegrationTestResult } from './schema.ts'

type Result = Omit<IntegrationTestResult, 'test'>

/** Sends the e-mail about a sample order to an address of the merchant's choice. */
export async function testMail(context: ShopContext, to: string): Promise<Result> {
  const { services, shop } = context
  const found = await findMailAccount(context, shop.id)
  if (found === undefined) return unsent('no_credentials', 'This shop has no mail server yet.')
  const { event, payload } = samplePayload(context, { email: to })
  const deliveryId = newId(context.now)
  const { eventGroup } = event
  const view = await composeMail(context, { shopId: shop.id, deliveryId, eventGroup, payload, wantsPromotion: true })
  if (view === undefined) return unsent('skipped', 'There is no message about this event.')
  const { subject, html, text } = renderMail(view)
  const outcome = await services.mailer.send(found.account, {
    messageId: `${deliveryId}@${domainOf(found.account.fromAddress)}`,
    to,
    toName: null,
    subject: toOneLine(subject),
    html,
    text,
    references: [],
    returnPath: null,
    headers: {},
    ...(found.source === 'shop' ? {} : { fromName: toOneLine(shop.name) }),
  })
  if (outcome.result === 'accepted') {
    const status_code = Number.parseInt(outcome.response, 10) || null
    return { ok: true, reason: null, message: 'The mail server accepted it.', status_code, answer: outcome.response }
  }
  const { code, problem, response } = outcome
  return {
    ok: false,
    reason: reasons[problem],
    message: code === null ? `It could not be sent: ${response}` : `The mail server replied ${code}.`,
    status_code: code,
    answer: code === null ? null : response,
  }
}

const reasons: Record<MailProblem, FailureReason> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls: 'tls',
  unauthorised: 'unauthorized',
  sender_rejected: 'rejected',
  recipient_rejected: 'rejected',
  message_rejected: 'rejected',
  private_address: 'private_address',
  busy: 'rate_limited',
  unexpected: 'interrupted',
}

function unsent(reason: Result['reason'], message: string): Result {
  return { ok: false, reason, message, status_code: null, answer: null }
}
