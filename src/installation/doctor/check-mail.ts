import type { Config } from '../../platform/config/config.ts'
import type { MailProblem } from '../../platform/mail/mailer.ts'
import { createSmtpMailer } from '../../platform/mail/smtp-mailer.ts'
import { type Finding, good, problem } from './finding.ts'

/** Connects to the installation's mail server and signs in. Nothing is sent. */
export async function checkMail({ smtp }: Config): Promise<Finding[]> {
  if (!smtp) return []
  const mailer = createSmtpMailer({ allowPrivate: true, messagesPerSecond: 1 })
  try {
    const outcome = await mailer.verify({ ...smtp, isOperators: true })
    if (outcome.result === 'accepted') return [good('mail server', `${smtp.host}:${smtp.port} accepts us.`)]
    const advice = advices[outcome.problem] ?? 'Check the SMTP settings with the people who run the mail server.'
    return [problem('mail server', `${smtp.host}:${smtp.port} does not accept us: ${outcome.response}`, advice)]
  } finally {
    await mailer.close()
  }
}

const advices: Partial<Record<MailProblem, string>> = {
  unreachable: 'Check SMTP_HOST and SMTP_PORT, and that this machine may connect to it: many hosters block port 25.',
  timeout:
    'Check SMTP_PORT and SMTP_SECURITY: a server that expects TLS does not respond to plain text, and vice versa.',
  tls: 'Check SMTP_SECURITY, and that the certificate of the server is valid for SMTP_HOST.',
  unauthorised: 'Check SMTP_USERNAME and SMTP_PASSWORD; some providers want a password made for applications.',
}
