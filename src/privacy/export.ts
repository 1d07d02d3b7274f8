import { shopSystemNames } from '../adapters/shop-systems/registry.ts'
import { findClaimsIncludingDeleted } from '../claims/claims/store.ts'
import { findPageViews } from '../figures/page-views/store.ts'
import { findAddress } from '../messages/recipients/privacy.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { invalid } from '../platform/foundation/errors.ts'
import { findOrdersOfShops } from '../webhooks/payloads/orders-store.ts'
import { customerHash } from './customer-hash.ts'
import { findNotesOf, findNotificationsOf, findShopSystemOrders } from './export-store.ts'
import { type Cursor, type FoundOrder, findCursor, findOrdersOfCustomer } from './find-store.ts'
import { toExportedOrder } from './present.ts'
import { findQuotingProblems } from './quote-store.ts'
import { createQuotes } from './quotes.ts'
import { type CustomerExport, type ExportedOrder, maxNotes, maxNotifications, maxOrders } from './schema.ts'
import { findAssignments, findViews, hashOfEmail } from './view-store.ts'

/** Orders per batch; their notifications may be large. */
const batchSize = 10
/** About 20 MB, which limits the memory and the size of a response. */
const maxCharacters = 20_000_000
const maxProblems = 1_000

/** Everything the shop stores about a customer, as much as fits into one response. */
export async function exportCustomer(
  context: ShopContext,
  email: string,
  afterId: string | undefined,
): Promise<CustomerExport> {
  const found: FoundOrder[] = []
  const orders: ExportedOrder[] = []
  let characters = 0
  let cursor = afterId === undefined ? undefined : await getCursor(context, email, afterId)
  let hasMore = true
  while (hasMore && found.length < maxOrders && characters < maxCharacters) {
    const batch = await findOrdersOfCustomer(context, email, Math.min(batchSize, maxOrders - found.length), cursor)
    const exported = await exportOrders(context, batch)
    found.push(...batch)
    orders.push(...exported)
    characters += JSON.stringify(exported).length
    cursor = batch.at(-1) ?? cursor
    hasMore = batch.length > 0
  }
  const isTruncated = hasMore && (await findOrdersOfCustomer(context, email, 1, cursor)).length > 0
  const customers = [...new Set([await hashOfEmail(context, email), ...found.map(({ customer }) => customer)])]
  const assignments = await findAssignments(context, customers)
  return {
    email,
    shop_slug: context.shop.slug,
    exported_at: context.now.toISOString(),
    customer_hash: customerHash(context, email),
    is_complete: !isTruncated,
    continue_after: isTruncated ? (cursor?.id ?? null) : null,
    orders,
    ab_tests: assignments.map(({ test_id, campaign_id, assigned_at }) => ({
      ab_test_id: test_id,
      campaign_id,
      assigned_at: assigned_at.toISOString(),
    })),
    mail: await findAddress(context, email),
    import_problems: await findQuotingProblems(context, createQuotes(email, found).pattern, maxProblems),
  }
}

async function getCursor(context: ShopContext, email: string, id: string): Promise<Cursor> {
  const cursor = await findCursor(context, email, id)
  if (cursor === undefined)
    throw invalid(['body', 'after'], 'must be the continue_after of a response for this customer')
  return cursor
}

async function exportOrders(context: ShopContext, found: FoundOrder[]): Promise<ExportedOrder[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const customers = [...new Set(found.map(({ customer }) => customer))]
  const stored = await findOrdersOfShops(
    context,
    ids.map((orderId) => ({ shopId: context.shop.id, orderId })),
  )
  const claims = await findClaimsIncludingDeleted(context, ids)
  const notes = await findNotesOf(context, ids, maxNotes)
  const notifications = await findNotificationsOf(context, ids, maxNotifications + 1)
  const views = await findViews(context, customers, ids)
  const pageViews = await findPageViews(context, ids)
  const shopSystemOrders = await findShopSystemOrders(
    context,
    found.map(({ external_id }) => external_id),
    shopSystemNames,
  )
  return found.flatMap(({ id, external_id }) => {
    const order = stored.get(id)
    if (order === undefined) return [] // deleted in the meantime
    return [
      toExportedOrder(context, {
        order,
        claims: claims.filter(({ order_id }) => order_id === id),
        notes: notes.filter(({ order_id }) => order_id === id),
        notifications: notifications.filter(({ order_id }) => order_id === id),
        views: views.filter(({ order_id }) => order_id === id),
        pageViews: pageViews.filter(({ order_id }) => order_id === id),
        shopSystemOrders: shopSystemOrders.filter((stored) => stored.external_id === external_id),
      }),
    ]
  })
}
