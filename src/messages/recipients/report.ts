import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { sha256 } from '../../platform/foundation/crypto.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import type { SignedMessage } from '../../platform/foundation/operation.ts'
import { asObject, asText, readObject } from '../../platform/foundation/read-json.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { claimRequest } from '../../platform/store/idempotency.ts'
import { storedAddress } from './address.ts'
import type { BounceReport } from './schema.ts'
import { withoutAddresses } from './state.ts'
import { findMailedPayload, saveRecipient } from './store.ts'
import { readReturnPath } from './verp.ts'

/** Applies a report of somebody who has proven who they are. The same report twice changes nothing more. */
export async function recordReport(context: ShopContext, report: BounceReport): Promise<void> {
  const isComplaint = report.type === 'complaint'
  // A full mailbox is emptied, and a server that is down comes back.
  if (!isComplaint && report.permanent !== true) return
  const recipient = await recipientOf(context, report)
  const address = recipient === undefined ? undefined : storedAddress(context, context.shop.id, recipient)
  if (address === undefined) return
  await saveRecipient(context, context.shop.id, address, {
    suppressed: { reason: isComplaint ? 'complained' : 'bounced', detail: withoutAddresses(report.reason) },
  })
}

/** A return path that we made counts more than the recipient: forwarding changes the one and not the other. */
async function recipientOf(context: ShopContext, report: BounceReport): Promise<string | undefined> {
  if (report.return_path) {
    const deliveryId = readReturnPath(context, context.shop.id, report.return_path)
    const body = deliveryId && (await findMailedPayload(context, deliveryId))
    if (body) return mailedAddress(body)
    if (!report.recipient) {
      throw new ApiError('invalid_payload', 'The return_path is not one of this shop, or its message is gone.')
    }
  }
  return report.recipient ?? undefined
}

function mailedAddress(body: string): string | undefined {
  const customer = asObject(asObject(readObject(body)?.context)?.customer)
  return asText(customer?.email)
}

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
