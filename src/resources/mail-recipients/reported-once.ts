import { claimRequest } from '../../database/idempotency.ts'
import { after, dayMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { sha256 } from '../../foundation/crypto.ts'
import type { SignedMessage } from '../../foundation/operation.ts'
import { inTransaction } from '../../foundation/transaction.ts'

const keyId = 'reports of mail'

/**
 * Applies a report unless it came before, within a day: one that is sent again must not stop mail to an address which a
 * colleague has allowed meanwhile. A signature is valid for minutes only, and a provider tries again for hours.
 */
export async function onceReported(
  context: ShopContext,
  { bytes, headers }: SignedMessage,
  apply: (context: ShopContext) => Promise<void>,
): Promise<void> {
  const signed = [headers['webhook-id'] ?? '', headers['webhook-timestamp'] ?? ''].join('\n')
  const digest = sha256(Buffer.concat([Buffer.from(`${signed}\n`), bytes]))
  const identity = { shopId: context.shop.id, keyId, idempotencyKey: digest.toString('base64url') }
  await inTransaction(context, async (context) => {
    if (await claimRequest(context, identity, digest, after(context.now, -dayMs))) await apply(context)
  })
}
