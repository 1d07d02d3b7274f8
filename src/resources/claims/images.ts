import { after, dayMs, hourMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { imageUrl, signedImageUrl } from '../images/address.ts'
import { isPrivate, shopIdIn } from '../images/rules.ts'
import { type ImageType, imageKeyPattern } from '../images/schema.ts'

const keyPattern = new RegExp(imageKeyPattern)

/** Whoever asks shows the image now, or asks again. */
export function answeredUntil(now: Date): Date {
  return after(fullHour(now), 2 * hourMs)
}

/** An event may be delivered days later, and its addresses stand in mails. */
export function publishedUntil(now: Date): Date {
  return after(fullHour(now), 7 * dayMs)
}

/** The same addresses for an hour: what does not change can be kept by a browser. */
function fullHour(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % hourMs))
}

/**
 * The address of an image as it is shown: a private one of this very shop is signed until then, all others stay as they
 * are. Another shop's is never signed, whoever has got hold of its key.
 */
export function shownImageUrl(context: Pick<Context, 'services'>, shopId: string, url: string, until: Date): string {
  const key = ownKey(context, url)
  if (key === undefined || shopIdIn(key) !== shopId) return url
  const [imageType] = key.split('-')
  return isPrivate(imageType as ImageType) ? signedImageUrl(context, key, until) : url // the pattern lets in only these
}

/** The address as it is kept: a signature that came with it would run out. */
export function storedImageUrl(context: Pick<Context, 'services'>, url: string): string {
  const key = ownKey(context, url)
  return key === undefined ? url : imageUrl(context, key)
}

function ownKey(context: Pick<Context, 'services'>, url: string): string | undefined {
  const folder = imageUrl(context, '')
  if (!url.startsWith(folder)) return undefined
  const [key = ''] = url.slice(folder.length).split('?')
  return keyPattern.test(key) ? key : undefined
}
