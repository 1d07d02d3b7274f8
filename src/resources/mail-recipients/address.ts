import { domainToASCII } from 'node:url'
import type { Context } from '../../foundation/context.ts'
import { hmacSha256 } from '../../foundation/crypto.ts'
import { hasControlCharacters } from '../../mail/addresses.ts'

/** An address as it is stored: recognised again, and not readable. */
export interface StoredAddress {
  digest: Buffer
  /** m…@example.org */
  masked: string
}

/** Undefined if the text is not an address. */
export function storedAddress(
  { services }: Pick<Context, 'services'>,
  shopId: string,
  text: string,
): StoredAddress | undefined {
  const address = normalised(text)
  if (address === undefined) return undefined
  return {
    digest: hmacSha256(services.signing.fixed('addresses of mail recipients'), shopId, ' ', address),
    masked: masked(address),
  }
}

/** Upper and lower case are the same to every provider, and a domain has one spelling. */
function normalised(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  if (at < 1 || domain === '' || address.length > 320) return undefined
  if (address.includes(' ') || hasControlCharacters(address)) return undefined
  return `${address.slice(0, at)}@${domain}`
}

/** For lists and logs. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return at < 1 ? '…' : `${first}…${address.slice(at)}`
}
