import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'

/**
 * The address that bounces of one message go to: `bounce+<delivery>.<proof>@<domain>`. What receives mail for that domain
 * reports it to the hook of the shop, and the message it belongs to is known without reading the bounce. The local part is
 * 56 characters long (64 are allowed), and in lower case, because some servers change the case.
 */
export function returnPathOf(
  context: Pick<Context, 'services'>,
  { shopId, deliveryId, domain }: { shopId: string; deliveryId: string; domain: string },
): string {
  const key = context.services.signing.ofShop(shopId).current(purpose)
  return `bounce+${deliveryId.replaceAll('-', '')}.${proofOf(key, shopId, deliveryId)}@${domain}`
}

const pattern = /^<?bounce\+([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([0-9a-f]{16})@[^@\s]+$/

/** The id of the delivery, if the return path is one of this shop. */
export function readReturnPath(
  context: Pick<Context, 'services'>,
  shopId: string,
  address: string,
): string | undefined {
  const found = pattern.exec(address.trim().toLowerCase().slice(0, 400))
  if (found === null) return undefined
  const [, one, two, three, four, five, proof = ''] = found
  const deliveryId = [one, two, three, four, five].join('-')
  const keys = context.services.signing.ofShop(shopId).accepted(purpose)
  return keys.some((key) => isSame(proof, proofOf(key, shopId, deliveryId))) ? deliveryId : undefined
}

const purpose = 'return paths of mail'

function proofOf(key: Buffer, shopId: string, deliveryId: string): string {
  return hmacSha256(key, shopId, ' ', deliveryId).subarray(0, 8).toString('hex')
}
