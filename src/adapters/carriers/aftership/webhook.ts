import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { asObject, asText, readObject } from '../../../platform/foundation/read-json.ts'
import type { PushedMessage, TrackedParcel, WebhookReading } from '../provider.ts'
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
  const stated = headers['as-webhook-version']
  const version = typeof stated === 'string' && /^[\w.-]{1,20}$/.test(stated) ? { version: stated } : {}
  if (!trackingEvents.has(asText(content.event) ?? '')) return { result: 'ignored', ...version }
  const tracking = asObject(content.msg)
  const trackingNumber = asText(tracking?.tracking_number)
  if (trackingNumber === undefined || tracking === undefined) {
    return { result: 'unreadable', detail: 'msg has no tracking_number' }
  }
  const reports = [{ trackingNumber, read: (parcel: TrackedParcel) => readTracking(tracking, parcel) }]
  return { result: 'read', reports, ...version }
}
