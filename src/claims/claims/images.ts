import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { imageUrl, signedImageUrl } from '../../shops/images/address.ts'
import { isPrivate, shopIdIn } from '../../shops/images/rules.ts'
import { type ImageType, isImageKey } from '../../shops/images/schema.ts'

/** An API client shows the image now, or fetches the claim again. */
export function imageExpiryInResponse(now: Date): Date {
  return after(fullHour(now), 2 * hourMs)
}

/** An event may be delivered days later, and its image URLs end up in e-mails. */
export function imageExpiryInPayload(now: Date): Date {
  return after(fullHour(now), 7 * dayMs)
}

/** Rounding to the hour keeps signed URLs stable, so that browsers can cache the images. */
function fullHour(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % hourMs))
}

/**
 * Signs the URL of a private image of this shop; other URLs are returned unchanged. An image of another shop is never
 * signed, even if someone knows its key.
 */
export function signPrivateImageUrl(
  context: Pick<Context, 'services'>,
  shopId: string,
  url: string,
  until: Date,
): string {
  const key = ownKey(context, url)
  if (key === undefined || shopIdIn(key) !== shopId) return url
  const [imageType] = key.split('-')
  return isPrivate(imageType as ImageType) ? signedImageUrl(context, key, until) : url // the pattern allows only these
}

/** The URL as it is stored: without a signature, which would expire. */
export function unsignedImageUrl(context: Pick<Context, 'services'>, url: string): string {
  const key = ownKey(context, url)
  return key === undefined ? url : imageUrl(context, key)
}

function ownKey(context: Pick<Context, 'services'>, url: string): string | undefined {
  const folder = imageUrl(context, '')
  if (!url.startsWith(folder)) return undefined
  const [key = ''] = url.slice(folder.length).split('?')
  return isImageKey(key) ? key : undefined
}
