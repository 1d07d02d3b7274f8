import { asText } from '../../foundation/read-json.ts'
import { cutText } from '../../foundation/storable-text.ts'
import type { BounceReport } from './schema.ts'

/**
 * The types of bounces after which Postmark itself does not mail the address any more; `Inactive` says so for the others.
 * See https://postmarkapp.com/developer/webhooks/bounce-webhook and https://postmarkapp.com/developer/api/bounce-api.
 */
const permanentTypes = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'])

/** What a webhook of Postmark reports; undefined if it is about something else. */
export function readPostmark(body: Record<string, unknown>): BounceReport | undefined {
  const type = asText(body.Type)
  const email = asText(body.Email)
  if (email === undefined) return undefined
  const recipient = cutText(email, 320)
  const reason = asText(body.Description) ?? asText(body.Details) ?? asText(body.Name) ?? null
  const isComplaint = body.RecordType === 'SpamComplaint' || type === 'SpamComplaint'
  if (isComplaint) return { type: 'complaint', recipient, reason }
  if (body.RecordType !== 'Bounce') return undefined
  const permanent = body.Inactive === true || permanentTypes.has(type ?? '')
  return { type: 'bounce', recipient, permanent, reason }
}
