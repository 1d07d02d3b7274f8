import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid, rateLimited } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { BytesReply } from '../../platform/foundation/schema.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import type {} from '../../platform/mail/mailer.ts'
import type { AttemptLimit } from '../../platform/store/attempts.ts'
import { mailSamples } from '../customer-mail/samples.ts'
import type { RenderedMail } from '../customer-mail/view.ts'
import { recipientState } from '../recipients/state.ts'
import { checkTemplate, previewMail } from './preview.ts'
import { getGroup } from './rules.ts'
import { MailPreview, MailPreviewRequest, MailTestRequest, MailTestResult } from './schema.ts'

const area = 'E-mail'

export const previewMailMessage = operation({
  name: 'previewMail',
  summary: 'Preview a message to a customer',
  description:
    'The message exactly as it would be sent, with a made-up order or one of yours, and with a text that need not be saved. Nothing is sent.',
  area,
  route: 'POST /v1/shops/{slug}/mail/preview',
  needs: 'viewer',
  body: MailPreviewRequest,
  reply: MailPreview,
  errors: ['order_not_found'],
  audit: { none: 'Nothing is changed.' },
  async handle(context, { body }) {
    if (body.order_id && body.sample) throw invalid(['body', 'sample'], 'cannot be given together with order_id')
    const group = getGroup(body.group)
    const mail = await previewMail(context, {
      group,
      language: body.language,
      template: body.template ? checkTemplate(group, body.template, ['body', 'template']) : undefined,
      order: body.order_id ? { id: body.order_id } : { sample: body.sample ?? mailSamples[0] },
    })
    return { ...mail, html: body.scheme ? inScheme(mail.html, body.scheme) : mail.html }
  },
})

export const getMailPreviewFrame = operation({
  name: 'getMailPreviewFrame',
  summary: 'Get the empty page that previews are shown in',
  description:
    'For frames: messages have styles of their own, which this page allows, and neither scripts nor forms nor links, which it does not.',
  area,
  route: 'GET /v1/shops/{slug}/mail/preview/frame',
  needs: 'viewer',
  reply: BytesReply('text/html', '<!doctype html><title>Your parcel is on its way</title>'),
  async handle() {
    return new ReplyWithHeaders(Buffer.from('<!doctype html><html><head><title></title></head><body></body></html>'), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
    })
  },
})

export const testMail = operation({
  name: 'testMail',
  summary: 'Send a test message to one address',
  description:
    'With a made-up order, through the mail server of the shop, at once. A failure is not an error: the reply has what the server said. Addresses that bounced or complained get nothing.',
  area,
  route: 'POST /v1/shops/{slug}/mail/test',
  needs: 'editor',
  body: MailTestRequest,
  reply: MailTestResult,
  errors: ['rate_limited'],
  callsOut: true,
  audit: {
    kind: 'mail_template',
    id: (_context, { body }) => `${body.group}/${body.language}`,
    outcome: (_context, _input, { body }) => ({ ok: (body as MailTestResult).ok }), // its own reply
  },
  async handle(context, { body }) {
    const group = getGroup(body.group)
    const template = body.template ? checkTemplate(group, body.template, ['body', 'template']) : undefined
    await countTest(context)
    const order = { sample: body.sample ?? mailSamples[0] }
    const mail: RenderedMail = await previewMail(context, { group, language: body.language, template, order })
    return sendTest(context, body.to, mail)
  },
})

/** Enough for somebody who is writing, and too few for a mailing. */
const tests: AttemptLimit = { name: 'test mails', limit: 20, windowMs: 10 * minuteMs }

async function countTest(context: ShopContext): Promise<void> {
  const { waitSeconds } = await context.services.attempts.count(context, [{ limit: tests, subject: context.shop.id }])
  if (waitSeconds === 0) return
  throw rateLimited('Too many test messages.', waitSeconds)
}

/** A message as a reader with this colour scheme sees it, whatever the scheme of the browser that shows the preview. */
function inScheme(html: string, scheme: 'light' | 'dark'): string {
  return html.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g, (_condition, named: string) =>
    named === scheme ? '(min-width: 0)' : '(max-width: 0)',
  )
}

/** Characters of the server's reply that the result has. */
const maxResponseLength = 1_000

/** Sends a message to one address of the merchant's choice. */
async function sendTest(context: ShopContext, to: string, mail: RenderedMail): Promise<MailTestResult> {
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
