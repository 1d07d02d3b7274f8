import type { ShopContext } from '../../platform/foundation/context.ts'
import { storedAddress } from './address.ts'
import { eraseRecipient, findRecipientByDigest } from './store.ts'

/** The stored data about an address, for its owner. */
export async function findAddress(context: ShopContext, address: string) {
  const stored = storedAddress(context, context.shop.id, address)
  const row = stored && (await findRecipientByDigest(context, stored.digest))
  if (!row) return null
  const gets_mail = row.suppressed_at === null
  return {
    gets_mail,
    gets_promotion: gets_mail && row.opted_out_at === null,
    reason: row.suppressed_reason,
    since: (row.suppressed_at ?? row.opted_out_at ?? row.created_at).toISOString(),
  }
}

/** Erases an address; returns how many entries there were. */
export async function eraseAddress(context: ShopContext, address: string): Promise<number> {
  const stored = storedAddress(context, context.shop.id, address)
  return stored ? eraseRecipient(context, stored.digest) : 0
}
