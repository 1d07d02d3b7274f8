import type { Claim, WithdrawalStatement } from '../../claims/claims/schema.ts'
import type { PageClaim } from '../../customer-view/order-page/store.ts'
import { formatsFor, formatTag } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import type { Payload } from '../../webhooks/payloads/payload.ts'
import type { MailClaim } from './view.ts'

/** The claim that the event is about. */
export function claimIn({ event_data: data, context }: Payload): Claim | undefined {
  return context.claims.find(({ uuid }) => uuid === data.claim_id)
}

/** The claim as the customer filed it, in its present state. A withdrawal's receipt states exactly when it was received. */
export function toMailClaim(language: Language, timeZone: string, claim: Claim, now: PageClaim | undefined): MailClaim {
  const { status, reply, resolution_preference: preference } = now ?? claim
  const { withdrawal } = claim
  const items = withdrawal?.is_whole_order ? [] : claim.selected_items
  return {
    kind: claim.kind,
    // A receipt has the reference that its page shows. Else the end of the id: it begins with a time, which claims of the
    // same minute share.
    number: withdrawal ? claim.uuid : claim.uuid.slice(-8).toUpperCase(),
    reason: claim.reason,
    status,
    statusKey: nextKey(status, preference),
    reply,
    items: items.map(({ title, sku, quantity }) => ({ title: title || sku || '', quantity: quantity ?? 1 })),
    receivedAt: withdrawal
      ? exactTime(language, withdrawal.time_zone, new Date(withdrawal.stated_at))
      : formatsFor(language, timeZone).day(new Date(claim.created_at)),
    statement: withdrawal ? statementOf(withdrawal) : null,
  }
}

/** The sentence about what happens next, as on the tracking page. */
function nextKey(status: string, preference: string | null): string {
  const isNamed = preference === 'reorder' || preference === 'refund' || preference === 'keep_with_reward'
  return status === 'accepted' && isNamed ? `accepted.next.${preference}` : `${status}.next`
}

/** The declaration, the customer's name, and the address to reach them at. */
function statementOf({ text, name, contact_email: email }: WithdrawalStatement): string | null {
  const lines = [text, name, email].filter((line): line is string => Boolean(line))
  const statement = lines.filter((line, index) => index === 0 || !lines[0]?.includes(line)).join('\n')
  return statement === '' ? null : statement
}

function exactTime(language: Language, timeZone: string, instant: Date): string {
  const format = new Intl.DateTimeFormat(formatTag(language), { dateStyle: 'full', timeStyle: 'long', timeZone })
  return format.format(instant)
}
