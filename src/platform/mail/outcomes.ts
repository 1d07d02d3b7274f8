import { toStorableText } from '../foundation/storable-text.ts'
import { type OutgoingError, toOutgoingError } from '../outgoing/errors.ts'
import { hideAddresses } from './addresses.ts'
import type { MailOutcome, MailProblem } from './mailer.ts'
import { mailPolicy } from './policy.ts'

/** A failure as nodemailer reports it. */
interface SmtpError extends Error {
  code?: string
  /** The code of Node or the system, which nodemailer replaces. */
  originalCode?: string
  /** The command that the server replied to. */
  command?: string
  response?: string
  responseCode?: number
}

export function accepted(response: string): MailOutcome {
  return { result: 'accepted', response: short(response) }
}

/** A message that must not be sent at all. */
export function rejectedUnsent(reason: string): MailOutcome {
  return { result: 'rejected', code: null, response: reason, problem: 'message_rejected' }
}

/** To be tried again; the server sent no reply. */
export function failedUnsent(problem: MailProblem, reason: string): MailOutcome {
  return { result: 'failed', code: null, response: short(reason), problem }
}

/** A permanent reply (5xx) is final; everything else is worth another attempt. */
export function toOutcome(error: unknown): MailOutcome {
  const { code: kind, command = '', response, responseCode: code, message } = error as SmtpError // only nodemailer throws
  if (code === undefined || code < 400) return failedUnsent(problemWithoutReply(error, kind), message)
  const reply = { code, response: short(response ?? message) }
  // 503 is about the state of the connection, not about the message.
  if (code < 500 || code === 503) return { result: 'failed', ...reply, problem: 'busy' }
  return { result: 'rejected', ...reply, problem: problemOfReply(code, kind, command) }
}

function problemOfReply(code: number, kind: string | undefined, command: string): MailProblem {
  if (kind === 'EAUTH' || [530, 534, 535, 538].includes(code)) return 'unauthorised'
  if (command.startsWith('MAIL')) return 'sender_rejected'
  if (command.startsWith('RCPT')) return 'recipient_rejected'
  return command === 'CONN' || command === 'EHLO' ? 'unexpected' : 'message_rejected'
}

function problemWithoutReply(error: unknown, kind: string | undefined): MailProblem {
  if (kind === 'EAUTH' || kind === 'ENOAUTH') return 'unauthorised'
  if (kind === 'ETLS') return 'tls'
  if (kind === 'ETIMEDOUT') return 'timeout'
  if (kind === 'EPROTOCOL') return 'unexpected'
  const { originalCode, message: text } = error as SmtpError // only nodemailer throws
  const cause = originalCode === undefined ? error : Object.assign(new Error(text), { code: originalCode })
  const { stage, message }: OutgoingError = toOutgoingError(cause, mailPolicy.attemptMs)
  if (message.includes('is a private address')) return 'private_address'
  return stage === 'tls' || stage === 'timeout' ? stage : 'unreachable'
}

function short(text: string): string {
  return toStorableText(hideAddresses(text), mailPolicy.maxResponseLength)
}
