import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256 } from '../../platform/foundation/crypto.ts'
import { normalizedAddress } from '../../platform/foundation/mail-address.ts'

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
  const address = normalizedAddress(text)
  if (address === undefined) return undefined
  return {
    digest: hmacSha256(services.signing.fixed('addresses of mail recipients'), shopId, ' ', address),
    masked: masked(address),
  }
}

/** For lists and logs. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return at < 1 ? '…' : `${first}…${address.slice(at)}`
}
