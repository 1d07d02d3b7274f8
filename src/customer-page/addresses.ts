import { isWebAddress, withoutCredentials } from '../platform/foundation/web-address.ts'

/** A URL that a page may link to: http or https only, and without credentials. */
export function webAddress(text: string | null | undefined): string | undefined {
  return isWebAddress(text) && URL.canParse(text) ? withoutCredentials(new URL(text).href) : undefined
}

/**
 * The URL of an image that the page's content security policy allows; undefined for others. Our own images are relative
 * to the host, so that they work under any host name.
 */
export function pictureAddress(
  { base, publicUrl }: { base: string; publicUrl: string },
  text: string | null | undefined,
): string | undefined {
  if (!text) return undefined
  if (text.startsWith(`${publicUrl}/`)) return `${base}${text.slice(publicUrl.length)}`
  return /^https:\/\//i.test(text) ? webAddress(text) : undefined
}
