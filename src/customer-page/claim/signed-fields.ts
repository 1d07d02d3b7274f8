import type { ShopContext } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'

/** Kinds of hidden field. It contains the id of the future claim, or the key of an upload. */
export type FieldKind = 'form' | 'photo' | 'signature'

/** A signed value for a hidden field, valid for this order only. */
export function signField(context: ShopContext, orderId: string, kind: FieldKind, text: string): string {
  return `${text}.${proofOf(context.services.signing.current(purpose), [context.shop.id, orderId, kind, text])}`
}

/** Undefined if the signature is invalid or of another order. */
export function openField(context: ShopContext, orderId: string, kind: FieldKind, value: string): string | undefined {
  const end = value.lastIndexOf('.')
  const text = value.slice(0, Math.max(0, end))
  return context.services.signing
    .accepted(purpose)
    .some((key) => isSame(value.slice(end + 1), proofOf(key, [context.shop.id, orderId, kind, text])))
    ? text
    : undefined
}

const purpose = 'claim forms'

type SignedField = [shopId: string, orderId: string, kind: FieldKind, text: string]

function proofOf(key: Buffer, field: SignedField): string {
  return hmacSha256(key, field.join('\n')).subarray(0, 16).toString('base64url')
}
