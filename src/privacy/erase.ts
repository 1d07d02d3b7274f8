import { eraseAddress } from '../messages/recipients/privacy.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { ApiError } from '../platform/foundation/errors.ts'
import { newId } from '../platform/foundation/ids.ts'
import { principalName } from '../platform/foundation/roles.ts'
import { inTransaction } from '../platform/foundation/transaction.ts'
import { isDeadlock } from '../platform/store/errors.ts'
import { customerHash } from './customer-hash.ts'
import { eraseNotifications, eraseOrdersOfBatch } from './erase-batch.ts'
import { eraseQuotes } from './erase-quotes.ts'
import { countUnfinishedImports, findClaimDetails, findOrdersOfCustomer, findUploads } from './find-store.ts'
import { createQuotes, type Quotes } from './quotes.ts'
import { imageKeysIn } from './rules.ts'
import type { CustomerErasure, ErasureCounts } from './schema.ts'
import { eraseAssignments, hashOfEmail } from './view-store.ts'

/** Orders per transaction, with everything that belongs to them. */
const batchSize = 20
const maxAttempts = 5

/**
 * Erases a customer permanently, one batch of orders at a time. The transaction that erases an order also removes its
 * e-mail address, so after an interruption the next call finds the remaining orders. What cannot be part of that
 * transaction, and what can only be found by the customer's name, is erased before it.
 */
export async function eraseCustomer(context: ShopContext, email: string): Promise<CustomerErasure> {
  const erasure = await eraseQuotes(context, createQuotes(email, []), [])
  erasure.ab_test_assignments += await eraseAssignments(context, [await hashOfEmail(context, email)])
  erasure.mail_recipients += await eraseAddress(context, email)
  const batches: { ids: string[]; quotes: Quotes }[] = []
  for (;;) {
    const orders = await findOrdersOfCustomer(context, email, batchSize)
    if (orders.length === 0) break
    const ids = orders.map(({ id }) => id)
    const quotes = createQuotes(email, orders)
    addTo(erasure, await eraseQuotes(context, quotes, ids))
    const deletedImages = await deleteImageBytes(context, ids)
    addTo(
      erasure,
      await inRetriedTransaction(context, (context) =>
        eraseOrdersOfBatch(context, email, ids, { deletedImages, quotes }),
      ),
    )
    batches.push({ ids, quotes })
  }
  for (const { ids, quotes } of batches) {
    addTo(erasure, await inRetriedTransaction(context, (context) => eraseNotifications(context, ids, quotes)))
  }
  return {
    ...erasure,
    unfinished_imports: await countUnfinishedImports(context),
    receipt_id: newId(context.now),
    shop_slug: context.shop.slug,
    erased_at: context.now.toISOString(),
    erased_by: principalName(context.principal),
    customer_hash: customerHash(context, email),
  }
}

/** Deletes the bytes before the claims and uploads are erased: afterwards nothing refers to them. */
async function deleteImageBytes(context: ShopContext, orderIds: string[]): Promise<string[]> {
  const claims = await findClaimDetails(context, orderIds)
  const inClaims = claims.flatMap((details) => imageKeysIn(details, context.shop.id))
  const keys = [...new Set([...inClaims, ...(await findUploads(context, orderIds))])]
  for (const key of keys) {
    try {
      await context.services.imageStore.delete(key)
    } catch (err) {
      context.log.error(
        { err, image: key },
        'the image store did not delete an image of a customer who is being erased',
      )
      throw new ApiError('bad_gateway', 'The image store did not delete an image. Call this again to erase the rest.')
    }
  }
  return keys
}

/** Retries after a deadlock: other writers may lock the same rows in another order. */
async function inRetriedTransaction<Result>(
  context: ShopContext,
  work: (context: ShopContext) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(context, work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error
    }
  }
}

function addTo(sum: ErasureCounts, counts: Partial<ErasureCounts>): void {
  for (const [name, count] of Object.entries(counts) as [keyof ErasureCounts, number][]) sum[name] += count // its own fields
}
