import { webAddress } from '../../foundation/web-address.ts'

/** The absolute address of a picture: https, or our own however we are reached. Null for others, which clients block. */
export function pictureUrl(publicUrl: string, text: string | null | undefined): string | null {
  const address = webAddress(text)
  if (address === undefined) return null
  return /^https:/i.test(address) || address.startsWith(`${publicUrl}/`) ? address : null
}
