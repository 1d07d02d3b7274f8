import type { Context } from '../../platform/foundation/context.ts'
import { masked, storedAddress } from './address.ts'
import { findStates, saveRecipient } from './store.ts'

interface Shop {
  id: string
  slug: string
}

/** The page on which somebody says that they want no promotion. The address is in it only encrypted. */
export function unsubscribeUrl({ services }: Pick<Context, 'services'>, shop: Shop, address: string): string {
  const token = services.signing.ofShop(shop.id).seal(address, purposeOf(shop.id)).toString('base64url')
  return `${services.publicUrl}/track/${shop.slug}/unsubscribe/${token}`
}

/** The headers of a message with promotion, for the button of mail programs (RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Undefined if the token is not one of this shop. */
export function openUnsubscribeToken(
  { services }: Pick<Context, 'services'>,
  shopId: string,
  token: string,
): string | undefined {
  if (token.length < 40 || token.length > 800 || !/^[\w-]+$/.test(token)) return undefined
  try {
    return services.signing.ofShop(shopId).open(Buffer.from(token, 'base64url'), purposeOf(shopId))
  } catch {
    // Changed, cut off, or of another shop.
    return undefined
  }
}

/** The state that the page shows. */
export async function findPromotionState(
  context: Context,
  shopId: string,
  address: string,
): Promise<{ wantsPromotion: boolean; masked: string }> {
  const stored = storedAddress(context, shopId, address)
  const [state] = stored ? await findStates(context, [{ shopId, digest: stored.digest }]) : []
  return { wantsPromotion: state?.wantsPromotion ?? false, masked: masked(address) }
}

/** Messages about orders continue in any case. */
export async function setPromotion(
  context: Context,
  shopId: string,
  address: string,
  wantsPromotion: boolean,
): Promise<void> {
  const stored = storedAddress(context, shopId, address)
  if (stored) await saveRecipient(context, shopId, stored, { optedOutAt: wantsPromotion ? null : context.now })
}

function purposeOf(shopId: string): string {
  return `${shopId}:unsubscribe`
}
