import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'
import { shopIdIn } from './rules.ts'
import type { ImageAddress } from './schema.ts'

export function imageUrl(context: Pick<Context, 'services'>, key: string): string {
  return `${context.services.publicUrl}/v1/images/${key}`
}

/** A URL that shows a private image to anyone who has it, until it expires. */
export function signedImageUrl(context: Pick<Context, 'services'>, key: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / secondMs)
  const signing = context.services.signing.ofShop(shopIdIn(key)).current(purpose)
  return `${imageUrl(context, key)}?expires=${expires}&signature=${signature(signing, key, expires)}`
}

export function isSignedAddress(context: Context, key: string, address: ImageAddress): boolean {
  if (address.expires === undefined || address.signature === undefined) return false
  if (address.expires * secondMs <= context.now.getTime()) return false
  const { expires, signature: given } = address
  const keys = context.services.signing
  // Up to version 0.2.0, the keys of the installation have signed.
  const accepted = [...keys.ofShop(shopIdIn(key)).accepted(purpose), ...keys.accepted(purpose)]
  return accepted.some((signing) => isSame(given, signature(signing, key, expires)))
}

const purpose = 'image addresses'

function signature(signing: Buffer, key: string, expires: number): string {
  return hmacSha256(signing, `${key}\n${expires}`).toString('hex')
}
