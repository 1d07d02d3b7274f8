import { after, dayMs, hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { MailOutcome } from '../../platform/mail/mailer.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { findTeamMailAccount } from './account.ts'
import { openTeamMail } from './outbox.ts'
import { deleteTeamMail, leaseTeamMail, postponeTeamMail, type TeamMailRow } from './outbox-store.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** A message to the team to send. */
    teamMails: []
  }
}

const sweepMs = 2 * secondMs
/** Longer than a mail server may take for a message. */
const leaseMs = 5 * minuteMs
/** Messages that this process sends at once. */
const maxRunning = 4

const firstRetryMs = 30 * secondMs
const maxRetryMs = hourMs
/** A message that could not be sent for a day is given up: a link in it would have expired. */
const giveUpAfterMs = dayMs

/** Sends a link to somebody who has forgotten their password, and removes the request. */
export type AnswerResetRequest = (context: Context, request: TeamMailRow) => Promise<void>

/**
 * Sends messages to the merchant's own people. A message is deleted after the mail server has accepted it: if the process
 * dies in between, it is sent again with the same Message-ID.
 */
export class TeamMailWorker extends Worker {
  readonly #answerResetRequest: AnswerResetRequest
  #running = 0

  constructor(context: () => Context, answerResetRequest: AnswerResetRequest) {
    super({ name: 'team mails', context, sweepMs })
    this.#answerResetRequest = answerResetRequest
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const { context } = this
      const leased = await leaseTeamMail(context, after(context.now, leaseMs))
      if (leased === undefined) return
      this.#running += 1
      this.runTask(() => this.#process(leased))
    }
  }

  async #process(mail: TeamMailRow): Promise<void> {
    try {
      if (mail.kind === 'reset_request') await this.#answerResetRequest(this.context, mail)
      else await this.#finish(mail, await send(this.context, mail))
    } catch (err) {
      this.context.log.error({ err, kind: mail.kind }, 'a message to the team was interrupted and will be tried again')
      await this.#retry(mail)
    } finally {
      this.#running -= 1
      // Another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }

  async #finish(mail: TeamMailRow, outcome: MailOutcome): Promise<void> {
    const { context } = this
    if (outcome.result === 'accepted') {
      await deleteTeamMail(context, mail)
    } else if (outcome.result === 'rejected') {
      this.#logLost(mail, outcome.problem, outcome.code)
      await deleteTeamMail(context, mail)
    } else {
      await this.#retry(mail, outcome.problem, outcome.code)
    }
  }

  async #retry(mail: TeamMailRow, problem = 'unexpected', code: number | null = null): Promise<void> {
    const { context } = this
    const dueAt = after(context.now, Math.min(firstRetryMs * 2 ** Math.min(mail.failures, 20), maxRetryMs))
    if (dueAt.getTime() < mail.created_at.getTime() + giveUpAfterMs) return postponeTeamMail(context, mail, dueAt)
    this.#logLost(mail, problem, code)
    await deleteTeamMail(context, mail)
  }

  #logLost({ id, kind, shop_id }: TeamMailRow, problem: string, code: number | null): void {
    this.context.log.warn({ mail: id, kind, shop: shop_id, problem, code }, 'a message to the team could not be sent')
  }
}

async function send(context: Context, mail: TeamMailRow): Promise<MailOutcome> {
  const account = await findTeamMailAccount(context, mail.shop_id)
  if (account === undefined) return { result: 'failed', code: null, response: '', problem: 'unreachable' }
  const { to, subject, html, text } = openTeamMail(context.services.vault, mail)
  const domain = account.fromAddress.slice(account.fromAddress.lastIndexOf('@') + 1)
  return context.services.mailer.send(account, {
    messageId: `${mail.id}@${domain}`,
    to,
    toName: null,
    subject,
    html,
    text,
    references: [],
    returnPath: null,
    // No out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
