import type { ShopContext } from '../../foundation/context.ts'
import { newId } from '../../foundation/ids.ts'
import { cutText } from '../../foundation/storable-text.ts'
import type {} from '../../mail/mailer.ts'
import type { RenderedMail } from '../customer-mail/view.ts'
import { findMailAccount } from '../mail-account/account.ts'
import { recipientState } from '../mail-recipients/state.ts'
import type { MailTestResult } from './schema.ts'

/** Characters of the server's reply that the result has. */
const maxResponseLength = 1_000

/** Sends a message to one address of the merchant's choice. */
export async function sendTest(context: ShopContext, to: string, mail: RenderedMail): Promise<MailTestResult> {
  const { shop, services } = context
  const found = await findMailAccount(context, shop.id)
  if (found === undefined) return unsent('no_account', 'This shop has no mail server yet.')
  const { isSuppressed } = await recipientState(context, shop.id, to)
  if (isSuppressed) return unsent('suppressed', 'This address gets no mail: it bounced, complained or was blocked.')
  const { account } = found
  const outcome = await services.mailer.send(account, {
    messageId: `${newId(context.now)}@${account.fromAddress.slice(account.fromAddress.lastIndexOf('@') + 1)}`,
    to,
    toName: null,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    references: [],
    returnPath: null,
    headers: {},
  })
  const response = cutText(outcome.response, maxResponseLength)
  if (outcome.result === 'accepted') return { ok: true, problem: null, code: 250, response }
  return { ok: false, problem: outcome.problem, code: outcome.code, response }
}

function unsent(problem: 'no_account' | 'suppressed', response: string): MailTestResult {
  return { ok: false, problem, code: null, response }
}
