import { randomText } from '../../foundation/ids.ts'
import type { ImageType } from './schema.ts'

/** What customers photographed or signed is theirs and the shop's; everything else is made to be shown. */
export function isPrivate(imageType: ImageType): boolean {
  return imageType === 'claim' || imageType === 'signature'
}

/**
 * The key of a new image: its type, its shop, 142 random bits. The shop stands in it so that the key alone leads to its
 * row by the primary key, on one shard: no index and no search across all shops.
 */
export function makeImageKey(imageType: ImageType, shopId: string, extension: string): string {
  const shop = Buffer.from(shopId.replaceAll('-', ''), 'hex').toString('base64url')
  return `${imageType}-${shop}-${randomText(24)}.${extension}`
}

/** The shop that a well-formed key names. */
export function shopIdIn(key: string): string {
  const start = key.indexOf('-') + 1
  const hex = Buffer.from(key.slice(start, start + 22), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
