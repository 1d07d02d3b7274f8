import type { MailAccount } from './account.ts'
import type { MailMessage } from './message.ts'

/** Outcome of a message, or of trying an account. Errors of the server are outcomes and are never thrown. */
export type MailOutcome =
  | { result: 'accepted'; response: string }
  /** The server rejects it for good (5xx), or it must not be sent at all. */
  | { result: 'rejected'; code: number | null; response: string; problem: MailProblem }
  /** To be tried again: 4xx, no connection, no reply in time. */
  | { result: 'failed'; code: number | null; response: string; problem: MailProblem }

/** Kinds of problem; a screen has a sentence for each. */
export type MailProblem =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'unauthorised'
  | 'sender_rejected'
  | 'recipient_rejected'
  | 'message_rejected'
  | 'private_address'
  | 'busy'
  | 'unexpected'

/** Sends e-mail over SMTP: pooled connections, a rate per account, and the private-address guard. */
export interface Mailer {
  send(account: MailAccount, message: MailMessage): Promise<MailOutcome>
  /** Connects and signs in, and sends nothing. */
  verify(account: MailAccount): Promise<MailOutcome>
  close(): Promise<void>
}

declare module '../foundation/services.ts' {
  interface Services {
    readonly mailer: Mailer
    /** The installation's own account, from the environment: for shops without one, and for the team. */
    readonly defaultMailAccount: MailAccount | undefined
  }
}
