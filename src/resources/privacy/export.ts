import type { ShopContext } from '../../foundation/context.ts'
import { invalid } from '../../foundation/errors.ts'
import { shopSystemNames } from '../../shop-systems/shop-system.ts'
import { claimsEverOf } from '../claims/store.ts'
import { findOrdersOfShops } from '../payloads/orders-store.ts'
import { findSnapshotsOf, findToldOf } from './export-store.ts'
import { type FoundOrder, findOrdersOfCustomer, findPlace, type Place } from './find-store.ts'
import { toExportedOrder } from './present.ts'
import { findQuotingProblems } from './quote-store.ts'
import { quotesOf } from './quotes.ts'
import { type CustomerExport, type ExportedOrder, mostNotifications, mostOrders } from './schema.ts'
import { digestOfEmail, findAssignments, findViews } from './view-store.ts'

/** Orders that are read together: what was told of them may be large. */
const batchSize = 10
/** About 20 MB: what one answer may take in memory and on the way. */
const mostCharacters = 20_000_000
const mostProblems = 1_000

/** Everything the shop keeps about a customer, as far as one answer holds it. */
export async function exportCustomer(
  context: ShopContext,
  email: string,
  afterId: string | undefined,
): Promise<CustomerExport> {
  const found: FoundOrder[] = []
  const orders: ExportedOrder[] = []
  let characters = 0
  let place = afterId === undefined ? undefined : await placeOf(context, email, afterId)
  let hasMore = true
  while (hasMore && found.length < mostOrders && characters < mostCharacters) {
    const batch = await findOrdersOfCustomer(context, email, Math.min(batchSize, mostOrders - found.length), place)
    const exported = await exportOrders(context, batch)
    found.push(...batch)
    orders.push(...exported)
    characters += JSON.stringify(exported).length
    place = batch.at(-1) ?? place
    hasMore = batch.length > 0
  }
  const isCut = hasMore && (await findOrdersOfCustomer(context, email, 1, place)).length > 0
  const customers = [...new Set([await digestOfEmail(context, email), ...found.map(({ customer }) => customer)])]
  const assignments = await findAssignments(context, customers)
  return {
    email,
    shop_slug: context.shop.slug,
    exported_at: context.now.toISOString(),
    is_complete: !isCut,
    continue_after: isCut ? (place?.id ?? null) : null,
    orders,
    ab_tests: assignments.map(({ test_id, campaign_id, assigned_at }) => ({
      ab_test_id: test_id,
      campaign_id,
      assigned_at: assigned_at.toISOString(),
    })),
    import_problems: await findQuotingProblems(context, quotesOf(email, found).pattern, mostProblems),
  }
}

async function placeOf(context: ShopContext, email: string, id: string): Promise<Place> {
  const place = await findPlace(context, email, id)
  if (place === undefined) throw invalid(['body', 'after'], 'must be the continue_after of an answer for this customer')
  return place
}

async function exportOrders(context: ShopContext, found: FoundOrder[]): Promise<ExportedOrder[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const customers = [...new Set(found.map(({ customer }) => customer))]
  const stored = await findOrdersOfShops(
    context,
    ids.map((orderId) => ({ shopId: context.shop.id, orderId })),
  )
  const claims = await claimsEverOf(context, ids)
  const told = await findToldOf(context, ids, mostNotifications + 1)
  const views = await findViews(context, customers, ids)
  const snapshots = await findSnapshotsOf(
    context,
    found.map(({ external_id }) => external_id),
    shopSystemNames,
  )
  return found.flatMap(({ id, external_id }) => {
    const order = stored.get(id)
    if (order === undefined) return [] // it was deleted in between
    return [
      toExportedOrder(context, {
        order,
        claims: claims.filter(({ order_id }) => order_id === id),
        told: told.filter(({ order_id }) => order_id === id),
        views: views.filter(({ order_id }) => order_id === id),
        snapshots: snapshots.filter((one) => one.external_id === external_id),
      }),
    ]
  })
}
