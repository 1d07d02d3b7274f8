import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { cutText, toStorableText } from '../../platform/foundation/storable-text.ts'
import { storedAddress } from './address.ts'
import { findStates, saveRejection } from './store.ts'

export interface RecipientState {
  /** It bounced or complained: it gets no mail at all. */
  isSuppressed: boolean
  wantsPromotion: boolean
}

/** Whether an address gets mail, and promotion. What is not an address gets none. */
export async function recipientState(context: Context, shopId: string, address: string): Promise<RecipientState> {
  const stored = storedAddress(context, shopId, address)
  if (stored === undefined) return { isSuppressed: true, wantsPromotion: false }
  return findState(context, { shopId, digest: stored.digest })
}

const findState = coalesced(findStates)

/**
 * A mail server has rejected the address for good. One rejection may be a fault of the server, such as a table that was
 * being rebuilt; after rejections on two different days (in UTC) the address gets no more mail.
 */
export async function recordRejection(
  context: Context,
  shopId: string,
  address: string,
  response: string | null,
): Promise<void> {
  const stored = storedAddress(context, shopId, address)
  if (stored !== undefined) await saveRejection(context, shopId, stored, withoutAddresses(response))
}

/** The text of a server or a provider, for people: without addresses, in one line, bounded. */
export function withoutAddresses(text: string | null | undefined): string | null {
  if (!text) return null
  const whole = toStorableText(text, 2_000)
    .split(/([\s<>"]+)/)
    .map((part) => (part.includes('@') ? '…' : part))
    .join('')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return cutText(whole, 300)
}
