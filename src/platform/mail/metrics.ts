import type { CounterSpec, Metrics } from '../foundation/metrics.ts'
import type { Mailer } from './mailer.ts'

export const mailsMetric: CounterSpec = {
  name: 'doorstep_mails_total',
  help: 'E-mails handed to a mail server. failed: to be tried again. rejected: given up.',
  labels: { result: ['accepted', 'rejected', 'failed'] },
}

/** Counts how each message ends. One that was not tried, because its account is busy, does not count. */
export function countingMails(mailer: Mailer, metrics: Metrics): Mailer {
  return {
    async send(account, message) {
      const outcome = await mailer.send(account, message)
      const isUntried = outcome.result === 'failed' && outcome.problem === 'busy'
      if (!isUntried) metrics.count(mailsMetric, { result: outcome.result })
      return outcome
    },
    verify: (account) => mailer.verify(account),
    close: () => mailer.close(),
  }
}
