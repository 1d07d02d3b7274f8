import { minuteMs } from '../../foundation/clock.ts'
import { hmacSha256, isSame } from '../../foundation/crypto.ts'
import type { SignedMessage } from '../../foundation/operation.ts'

/** How far the time of a signature may be off. */
const toleranceMs = 5 * minuteMs

/** Postmark signs nothing. It sends the basic authentication of the address that it was given. */
export function isFromPostmark(headers: SignedMessage['headers'], secret: string | undefined): boolean {
  const given = textOf(headers.authorization)
  if (secret === undefined || !/^basic /i.test(given)) return false
  const credentials = Buffer.from(given.slice('basic '.length).trim(), 'base64').toString('utf8')
  // The name may be any: the secret is the password.
  return isSame(credentials.slice(credentials.indexOf(':') + 1), secret)
}

/** As Standard Webhooks defines it, and as our own webhooks are signed. */
export function isSignedReport({ bytes, headers }: SignedMessage, secret: string | undefined, now: Date): boolean {
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
