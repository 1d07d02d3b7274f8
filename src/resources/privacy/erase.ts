import { isDeadlock } from '../../database/errors.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { eraseOrdersOfBatch, eraseTold } from './erase-batch.ts'
import { eraseQuotes } from './erase-quotes.ts'
import { countUnfinishedImports, findClaimDetails, findOrdersOfCustomer, findUploads } from './find-store.ts'
import { type Quotes, quotesOf } from './quotes.ts'
import { imageKeysIn } from './rules.ts'
import type { CustomerErasure } from './schema.ts'
import { digestOfEmail, eraseAssignments } from './view-store.ts'

/** Orders that are erased in one transaction, with all that belongs to them. */
const batchSize = 20
const mostTries = 5

/**
 * Removes a customer for good, some orders at a time. An order loses its e-mail address in the transaction that erases
 * all else of it: whatever stops this, the orders that are left are found again by the next call. What cannot be part of
 * that transaction, and what is only found by the customer's name, goes before it.
 */
export async function eraseCustomer(context: ShopContext, email: string): Promise<CustomerErasure> {
  const erasure = await eraseQuotes(context, quotesOf(email, []), [])
  erasure.ab_test_assignments += await eraseAssignments(context, [await digestOfEmail(context, email)])
  const batches: { ids: string[]; quotes: Quotes }[] = []
  for (;;) {
    const orders = await findOrdersOfCustomer(context, email, batchSize)
    if (orders.length === 0) break
    const ids = orders.map(({ id }) => id)
    const quotes = quotesOf(email, orders)
    addTo(erasure, await eraseQuotes(context, quotes, ids))
    const deleted = await deleteImages(context, ids)
    addTo(erasure, await inOneGo(context, (context) => eraseOrdersOfBatch(context, email, ids, { deleted, quotes })))
    batches.push({ ids, quotes })
  }
  for (const { ids, quotes } of batches) {
    addTo(erasure, await inOneGo(context, (context) => eraseTold(context, ids, quotes)))
  }
  return { ...erasure, unfinished_imports: await countUnfinishedImports(context) }
}

/** The bytes first: without the claims and uploads that name them, nothing would lead to them any more. */
async function deleteImages(context: ShopContext, orderIds: string[]): Promise<string[]> {
  const claims = await findClaimDetails(context, orderIds)
  const named = claims.flatMap((details) => imageKeysIn(details, context.shop.id))
  const keys = [...new Set([...named, ...(await findUploads(context, orderIds))])]
  for (const key of keys) {
    try {
      await context.services.imageStore.delete(key)
    } catch (err) {
      context.log.error({ err, image: key }, 'the image store did not delete an image of a customer to be erased')
      throw new ApiError(
        'bad_gateway',
        'The image store did not delete an image. Erase again: what was done stays done.',
      )
    }
  }
  return keys
}

/** Others write to the same rows in orders of their own; who meets them in a circle begins again. */
async function inOneGo<Result>(context: ShopContext, work: (context: ShopContext) => Promise<Result>): Promise<Result> {
  for (let time = 1; ; time += 1) {
    try {
      return await inTransaction(context, work)
    } catch (error) {
      if (!isDeadlock(error) || time === mostTries) throw error
    }
  }
}

function addTo(sum: CustomerErasure, counts: Partial<CustomerErasure>): void {
  for (const [name, count] of Object.entries(counts) as [keyof CustomerErasure, number][]) sum[name] += count // its own fields
}
