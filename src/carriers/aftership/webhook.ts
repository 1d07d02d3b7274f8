import { hmacSha256, isSame } from '../../foundation/crypto.ts'
import { asObject, asText, readObject } from '../../foundation/read-json.ts'
import type { PushedMessage, WebhookReading } from '../provider.ts'
import { readTracking } from './tracking.ts'

/** The events that bring a tracking; others tell that nothing has happened for a while. */
const telling = new Set(['tracking_update', 'edd_revise'])

/** Signed with the secret of the webhook: HMAC-SHA256 of the body as it came, in base64. */
export function readWebhook({ bytes, headers }: PushedMessage, secret: string): WebhookReading {
  const signature = headers['aftership-hmac-sha256']
  const expected = hmacSha256(secret, bytes).toString('base64')
  if (secret === '' || typeof signature !== 'string' || !isSame(signature.trim(), expected)) {
    return { result: 'wrong signature' }
  }
  const content = readObject(bytes.toString('utf8'))
  if (content === undefined) return { result: 'unreadable', detail: 'the body is no JSON object' }
  if (!telling.has(asText(content.event) ?? '')) return { result: 'ignored' }
  const tracking = asObject(content.msg)
  if (asText(tracking?.tracking_number) === undefined || tracking === undefined) {
    return { result: 'unreadable', detail: 'msg has no tracking_number' }
  }
  return { result: 'read', reports: [readTracking(tracking, null)] }
}
