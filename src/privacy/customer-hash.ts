import type { Context } from '../platform/foundation/context.ts'
import { hmacSha256 } from '../platform/foundation/crypto.ts'

/**
 * Names a customer in the audit log and on receipts, without their address. The key is not in the store, so that the
 * address cannot be guessed from a copy of it.
 */
export function customerHash({ services }: Pick<Context, 'services'>, email: string): string {
  return hmacSha256(services.signing.fixed('customers in the audit log'), email.trim().toLowerCase())
    .subarray(0, 16)
    .toString('hex')
}
