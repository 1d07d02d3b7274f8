import { hmacSha256, isSame } from '../../foundation/crypto.ts'
import { asObject, asText, readObject } from '../../foundation/read-json.ts'
import type { PushedMessage, WebhookReading } from '../provider.ts'
import { readTracking } from './tracking.ts'

/** The events that carry a tracking; others only report inactivity. */
const trackingEvents = new Set(['tracking_update', 'edd_revise'])

/** The signature is the base64 HMAC-SHA256 of the raw body, with the webhook's secret. */
export function readWebhook({ bytes, headers }: PushedMessage, secret: string): WebhookReading {
  const signature = headers['aftership-hmac-sha256']
  const expected = hmacSha256(secret, bytes).toString('base64')
  if (secret === '' || typeof signature !== 'string' || !isSame(signature.trim(), expected)) {
    return { result: 'wrong signature' }
  }
  const content = readObject(bytes.toString('utf8'))
  if (content === undefined) return { result: 'unreadable', detail: 'the body is no JSON object' }
  if (!trackingEvents.has(asText(content.event) ?? '')) return { result: 'ignored' }
  const tracking = asObject(content.msg)
  const trackingNumber = asText(tracking?.tracking_number)
  if (trackingNumber === undefined || tracking === undefined) {
    return { result: 'unreadable', detail: 'msg has no tracking_number' }
  }
  return { result: 'read', reports: [{ trackingNumber, read: (parcel) => readTracking(tracking, parcel) }] }
}
