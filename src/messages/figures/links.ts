import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'
import { isWebAddress } from '../../platform/foundation/web-address.ts'

/** Kinds of page that the links of a message lead to. */
export const linkKinds = ['tracking', 'campaign', 'deal', 'announcement', 'product', 'shop'] as const
export type LinkKind = (typeof linkKinds)[number]

export interface MailLink {
  /** The event group of the message. */
  group: string
  kind: LinkKind
  url: string
}

/** The longest token that a path may have. */
const maxCharacters = 500
const proofBytes = 16

/**
 * The link as it is put into a message. If the shop counts clicks, it leads through us; else it is plain. The target is
 * signed, so that nobody else's target can be put into our address. Nothing in it names the customer. A link that is too
 * long for a path stays plain.
 */
export function countedLink(
  context: Pick<Context, 'services'>,
  shop: { id: string; slug: string },
  settings: { click_counting: boolean },
  link: MailLink,
): string {
  if (!settings.click_counting || !isWebAddress(link.url)) return link.url
  const text = Buffer.from([link.group, link.kind, link.url].join('\n'))
  const key = context.services.signing.ofShop(shop.id).current(purpose)
  const token = Buffer.concat([proofOf(key, shop.id, text), text]).toString('base64url')
  if (token.length > maxCharacters) return link.url
  return `${context.services.publicUrl}/track/${shop.slug}/mail-link/${token}`
}

/** Undefined if we have not made it for this shop. */
export function openCountedLink(
  context: Pick<Context, 'services'>,
  shopId: string,
  token: string,
): MailLink | undefined {
  if (token.length < 30 || token.length > 512 || !/^[\w-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const text = bytes.subarray(proofBytes)
  const proof = bytes.subarray(0, proofBytes)
  const keys = context.services.signing.ofShop(shopId).accepted(purpose)
  if (!keys.some((key) => isSame(proof, proofOf(key, shopId, text)))) return undefined
  const [group = '', kind, ...url] = text.toString('utf8').split('\n')
  const known = linkKinds.find((name) => name === kind)
  return known && { group, kind: known, url: url.join('\n') }
}

const purpose = 'links of mail'

function proofOf(key: Buffer, shopId: string, text: Buffer): Buffer {
  return hmacSha256(key, shopId, '\n', text).subarray(0, proofBytes)
}
