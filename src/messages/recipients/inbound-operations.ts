import { Compile } from 'typebox/compile'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation, type SignedMessage } from '../../platform/foundation/operation.ts'
import { asText, readObject } from '../../platform/foundation/read-json.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { cutText } from '../../platform/foundation/storable-text.ts'
import { findInboundSecrets } from '../../shops/settings/inbound-secret-store.ts'
import { onceReported, recordReport } from './report.ts'
import { BounceReport } from './schema.ts'

const area = 'Mail'
/** Postmark may send the whole bounce along. */
const maxBytes = 1_000_000
const audit = { none: 'The list of suppressed addresses shows it.' }

export const receivePostmark = operation({
  name: 'receivePostmarkReport',
  summary: 'Receive a bounce or spam complaint from Postmark',
  description:
    'The address of GET /mail/hooks, for the webhooks “Bounce” and “Spam complaint”. It contains basic authentication. Hard bounces and complaints stop further mail to the address; soft bounces change nothing.',
  area,
  route: 'POST /v1/inbound/{slug}/mail/postmark',
  needs: 'nobody',
  signed: true,
  messageExample: { RecordType: 'Bounce', Type: 'HardBounce', Email: 'ada@customer.example', Inactive: true },
  readsAuthorization: true,
  reply: NullReply,
  expects: async (context, { headers }) => {
    if (!(await isPostmark(context, headers))) throw notFromPostmark()
  },
  audit,
  async handle(context, { message }) {
    const sent = message as SignedMessage // a signed operation always has it
    if (!(await isPostmark(context, sent.headers))) throw notFromPostmark()
    const report = readPostmark(readBody(sent.bytes))
    if (report !== undefined) await onceReported(context, sent, (context) => recordReport(context, report))
    return null
  },
})

export const receiveBounce = operation({
  name: 'receiveBounceReport',
  summary: 'Receive a bounce or complaint from any mail server',
  description:
    'For a mail server of the shop’s own. JSON with `type` (bounce or complaint), `recipient` or the `return_path` that we gave the message, `permanent` and `reason`; signed as Standard Webhooks defines it, with the secret of GET /mail/hooks. Bounces that are not permanent change nothing, and neither does a report that was received before.',
  area,
  route: 'POST /v1/inbound/{slug}/mail/bounces',
  needs: 'nobody',
  signed: true,
  messageExample: {
    type: 'bounce',
    recipient: 'ada@customer.example',
    permanent: true,
    reason: '550 5.1.1 The mailbox does not exist.',
  },
  reply: NullReply,
  expects: async (context) => {
    if ((await findInboundSecrets(context, context.shop.id)).length === 0) throw notSigned()
  },
  audit,
  async handle(context, { message }) {
    const signed = message as SignedMessage // a signed operation always has it
    const secrets = await findInboundSecrets(context, context.shop.id)
    if (!secrets.some((secret) => isSignedReport(signed, secret, context.now))) throw notSigned()
    const report = checkedReport(context, readBody(signed.bytes))
    await onceReported(context, signed, (context) => recordReport(context, report))
    return null
  },
})

async function isPostmark(context: ShopContext, headers: SignedMessage['headers']): Promise<boolean> {
  const secrets = await findInboundSecrets(context, context.shop.id)
  return secrets.some((secret) => isFromPostmark(headers, secret))
}

/** Only after the sender has proven who they are. */
function readBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length > maxBytes) {
    throw new ApiError('invalid_payload', `A report has at most ${maxBytes} bytes.`, { status: 413 })
  }
  const body = readObject(bytes.toString('utf8'))
  if (body === undefined) throw new ApiError('invalid_payload', 'A report is a JSON object.')
  return body
}

const reports = Compile(BounceReport)

function checkedReport(_context: ShopContext, body: Record<string, unknown>): BounceReport {
  if (reports.Check(body) && (body.recipient || body.return_path)) return body
  throw new ApiError(
    'invalid_payload',
    'A report has a type (bounce or complaint), and a recipient or a return_path; permanent is a boolean, reason a text.',
  )
}

function notFromPostmark(): ApiError {
  return new ApiError('invalid_merchant_or_key', 'The address has not the credentials of GET /mail/hooks.')
}

function notSigned(): ApiError {
  return new ApiError(
    'invalid_merchant_or_key',
    'This is not signed with the secret of GET /mail/hooks, or its time is more than five minutes off.',
  )
}

/** How far the time of a signature may be off. */
const toleranceMs = 5 * minuteMs

/** Postmark signs nothing. It sends the basic authentication of the address that it was given. */
function isFromPostmark(headers: SignedMessage['headers'], secret: string | undefined): boolean {
  const given = textOf(headers.authorization)
  if (secret === undefined || !/^basic /i.test(given)) return false
  const credentials = Buffer.from(given.slice('basic '.length).trim(), 'base64').toString('utf8')
  // The name may be any: the secret is the password.
  return isSame(credentials.slice(credentials.indexOf(':') + 1), secret)
}

/** As Standard Webhooks defines it, and as our own webhooks are signed. */
function isSignedReport({ bytes, headers }: SignedMessage, secret: string | undefined, now: Date): boolean {
  const id = textOf(headers['webhook-id'])
  const timestamp = textOf(headers['webhook-timestamp'])
  if (secret === undefined || id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > toleranceMs) return false
  const expected = `v1,${hmacSha256(secret, `${id}.${timestamp}.`, bytes).toString('base64')}`
  // After a change of secrets a sender may sign with both.
  return textOf(headers['webhook-signature'])
    .slice(0, 1_000)
    .split(' ')
    .some((signature) => isSame(signature, expected))
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

/**
 * The types of bounces after which Postmark itself does not mail the address any more; for the others, `Inactive` is set.
 * See https://postmarkapp.com/developer/webhooks/bounce-webhook and https://postmarkapp.com/developer/api/bounce-api.
 */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'])

/** The report in a webhook of Postmark; undefined if it is about something else. */
function readPostmark(body: Record<string, unknown>): BounceReport | undefined {
  const type = asText(body.Type)
  const email = asText(body.Email)
  if (email === undefined) return undefined
  const recipient = cutText(email, 320)
  const reason = asText(body.Description) ?? asText(body.Details) ?? asText(body.Name) ?? null
  const isComplaint = body.RecordType === 'SpamComplaint' || type === 'SpamComplaint'
  if (isComplaint) return { type: 'complaint', recipient, reason }
  if (body.RecordType !== 'Bounce') return undefined
  const permanent = body.Inactive === true || permanentTypes.has(type ?? '')
  return { type: 'bounce', recipient, permanent, reason }
}
