import { isWebAddress } from '../../src/foundation/web-address.ts'

/** An address that a page may link to: of the web and nothing else, whatever somebody has written there. */
export function webAddress(text: string | null | undefined): string | undefined {
  return isWebAddress(text) && URL.canParse(text) ? new URL(text).href : undefined
}

/**
 * An address of a picture that the page's policy lets in; one that it would not is no picture. Those of ours are named
 * without the host, so that they are found by whichever name the page was.
 */
export function pictureAddress(
  { base, publicUrl }: { base: string; publicUrl: string },
  text: string | null | undefined,
): string | undefined {
  if (!text) return undefined
  if (text.startsWith(`${publicUrl}/`)) return `${base}${text.slice(publicUrl.length)}`
  return /^https:\/\//i.test(text) ? webAddress(text) : undefined
}
