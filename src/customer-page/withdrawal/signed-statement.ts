import type { ShopContext } from '../../platform/foundation/context.ts'
import { hmacSha256, isSame } from '../../platform/foundation/crypto.ts'
import type { Signer } from '../../platform/foundation/signing-keys.ts'
import type { CheckedStatement } from './view.ts'

/**
 * The statement as the confirmation page carries it: nothing is stored before it is confirmed. It is signed for this order, so
 * that what is confirmed is what was shown.
 */
export function signStatement(context: ShopContext, orderId: string, statement: CheckedStatement): string {
  const text = Buffer.from(JSON.stringify(statement)).toString('base64url')
  return `${text}.${proofOf(signer(context).current(purpose), [context.shop.id, orderId, 'statement', text])}`
}

/** Undefined if the signature is invalid or of another order. */
export function openStatement(context: ShopContext, orderId: string, value: string): CheckedStatement | undefined {
  const [text = '', proof = ''] = value.split('.')
  if (
    !signer(context)
      .accepted(purpose)
      .some((key) => isSame(proof, proofOf(key, [context.shop.id, orderId, 'statement', text])))
  )
    return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as CheckedStatement // signed above only
}

/** The name of a receipt in its address. It contains personal data, so that an order's address does not lead there. */
export function receiptName(context: ShopContext, orderId: string, claimId: string): string {
  return `${claimId}.${proofOf(signer(context).current(purpose), [context.shop.id, orderId, 'receipt', claimId])}`
}

export function claimOfReceipt(context: ShopContext, orderId: string, name: string): string | undefined {
  const [claimId = '', proof = ''] = name.split('.')
  return signer(context)
    .accepted(purpose)
    .some((key) => isSame(proof, proofOf(key, [context.shop.id, orderId, 'receipt', claimId])))
    ? claimId
    : undefined
}

const purpose = 'withdrawals'

function signer({ services, shop }: ShopContext): Signer {
  return services.signing.ofShop(shop.id)
}

type SignedText = [shopId: string, orderId: string, kind: 'statement' | 'receipt', text: string]

function proofOf(key: Buffer, signed: SignedText): string {
  return hmacSha256(key, signed.join('\n')).subarray(0, 16).toString('base64url')
}
