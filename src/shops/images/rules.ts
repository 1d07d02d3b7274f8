import { randomText } from '../../platform/foundation/ids.ts'
import type { ImageType } from './schema.ts'

/** Photos and signatures of customers are private; all other images are meant to be public. */
export function isPrivate(imageType: ImageType): boolean {
  return imageType === 'claim' || imageType === 'signature'
}

/**
 * The key of a new image: its type, its shop, and 142 random bits. It contains the shop, so that the row can be read by
 * the primary key alone, without a search across all shops.
 */
export function createImageKey(imageType: ImageType, shopId: string, extension: string): string {
  const shop = Buffer.from(shopId.replaceAll('-', ''), 'hex').toString('base64url')
  return `${imageType}-${shop}-${randomText(24)}.${extension}`
}

/** The shop id in a well-formed key. */
export function shopIdIn(key: string): string {
  const start = key.indexOf('-') + 1
  const hex = Buffer.from(key.slice(start, start + 22), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
