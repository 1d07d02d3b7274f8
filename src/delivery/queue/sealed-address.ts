import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256 } from '../../platform/foundation/crypto.ts'

/** The address of an endpoint as it is stored. */
export interface StoredAddress {
  /** The address, or its stand-in if it is sealed: its host, and a digest by which the store finds equal ones. */
  url: string
  sealed_url: Buffer | null
}

interface EndpointKey {
  shopId: string
  id: string
}

/** The address of an endpoint contains its receiver's tokens, so only the host is stored as it is. */
export function sealAddress(
  context: Pick<Context, 'services'>,
  { shopId, id }: EndpointKey,
  url: string,
): StoredAddress {
  return {
    url: standInFor(context, shopId, url),
    sealed_url: context.services.vault.seal(url, addressPurpose(shopId, id)),
  }
}

export function openAddress(
  { services }: Pick<Context, 'services'>,
  { shopId, id, url, sealedUrl }: EndpointKey & { url: string; sealedUrl: Buffer | null },
): string {
  return sealedUrl === null ? url : services.vault.open(sealedUrl, addressPurpose(shopId, id))
}

/** Equal for equal addresses of a shop. The host is readable, for lists and messages; the rest is a digest with a key. */
export function standInFor({ services }: Pick<Context, 'services'>, shopId: string, url: string): string {
  const digest = hmacSha256(services.signing.fixed('addresses of webhooks'), shopId, ' ', url).toString('hex')
  const origin = URL.canParse(url) ? new URL(url).origin : 'null'
  return `${origin === 'null' ? 'sealed:' : origin}/sealed-${digest}`
}

/** The part of an address that may be shown and logged: the others may contain a secret. */
export function hidePath(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/***` : '***'
}

function addressPurpose(shopId: string, id: string): string {
  return `${shopId}:webhook-address:${id}`
}
