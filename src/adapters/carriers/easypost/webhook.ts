import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { asObject, asText, readObject } from '../../../platform/foundation/read-json.ts'
import type { PushedMessage, WebhookReading } from '../provider.ts'
import { readTracker } from './tracker.ts'

const trackingEvents = new Set(['tracker.created', 'tracker.updated'])

/** The signature is the hexadecimal HMAC-SHA256 of the raw body, with the webhook's secret. */
export function readWebhook({ bytes, headers }: PushedMessage, secret: string): WebhookReading {
  const signature = headers['x-hmac-signature']
  const expected = `hmac-sha256-hex=${hmacSha256(secret.normalize('NFKD'), bytes).toString('hex')}`
  if (secret === '' || typeof signature !== 'string' || !isSame(signature.trim(), expected)) {
    return { result: 'wrong signature' }
  }
  const event = readObject(bytes.toString('utf8'))
  if (event === undefined) return { result: 'unreadable', detail: 'the body is no JSON object' }
  if (!trackingEvents.has(asText(event.description) ?? '')) return { result: 'ignored' }
  const tracker = asObject(event.result)
  const trackingNumber = asText(tracker?.tracking_code)
  if (trackingNumber === undefined || tracker === undefined) {
    return { result: 'unreadable', detail: 'result has no tracking_code' }
  }
  return { result: 'read', reports: [{ trackingNumber, read: (parcel) => readTracker(tracker, parcel) }] }
}
