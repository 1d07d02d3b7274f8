import { integrationNames } from '../adapters/marketing/registry.ts'
import { shopSystemNames } from '../adapters/shop-systems/registry.ts'
import { erasedFulfilments } from '../connections/shop-systems/without-customer.ts'
import { mailReceiver } from '../delivery/queue/delivery.ts'
import { deletePageViews } from '../figures/page-views/store.ts'
import { deleteMessagesOf } from '../messages/timing/store.ts'
import {
  analyticsWithoutCustomer,
  detailsWithoutCustomer,
  productsWithoutCustomer,
} from '../orders/orders/without-customer.ts'
import type { ShopContext } from '../platform/foundation/context.ts'
import { stopFollowing } from '../tracking/scans/stop-store.ts'
import type { Payload } from '../webhooks/payloads/payload.ts'
import {
  deleteNotes,
  deleteSegmentFetches,
  eraseClaims,
  eraseEvents,
  eraseImages,
  eraseOrders,
  eraseShipments,
  eraseShopSystemOrders,
  lockClaimsToErase,
  lockOrdersToErase,
  lockShipmentsToErase,
  lockShopSystemOrdersToErase,
  type OrderToErase,
} from './erase-order-store.ts'
import { findUploads } from './find-store.ts'
import {
  cancelAutomations,
  cancelDeliveries,
  eraseReceiverResponses,
  listUnerasedNotifications,
  replaceBodies,
} from './notification-store.ts'
import type { Quotes } from './quotes.ts'
import { erasedClaim, erasedPayload, erasedPickup, imageKeysIn } from './rules.ts'
import type { ErasureCounts } from './schema.ts'
import { eraseAssignments, eraseViews } from './view-store.ts'

interface Prepared {
  /** Keys of images whose bytes are deleted already. */
  deletedImages: string[]
  quotes: Quotes
}

const reason = "the customer's data was erased"
const notificationsPerBatch = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/** Erases orders and everything that belongs to them. Call it inside a transaction. */
export async function eraseOrdersOfBatch(
  context: ShopContext,
  email: string,
  orderIds: string[],
  prepared: Prepared,
): Promise<Partial<ErasureCounts>> {
  // Locks orders, then shipments, then claims, like other writers. What they committed before is read below.
  const orders = await lockOrdersToErase(context, email, orderIds)
  const ids = orders.map(({ id }) => id)
  return {
    ...(await eraseShipmentsOf(context, ids, prepared)),
    ...(await eraseClaimsOf(context, ids, prepared)),
    ...(await eraseNotifications(context, ids, prepared.quotes)),
    ...(await eraseRelatedData(context, orders, prepared)),
    orders: await eraseOrderFields(context, orders, prepared),
  }
}

async function eraseOrderFields(context: ShopContext, orders: OrderToErase[], { quotes }: Prepared): Promise<number> {
  await eraseOrders(
    context,
    orders.map(({ id, order_name, details, order_analytics }) => ({
      id,
      order_name: quotes.redact(order_name),
      details: quotes.redact(detailsWithoutCustomer(details)),
      order_analytics: quotes.redact(analyticsWithoutCustomer(order_analytics)),
    })),
  )
  return orders.length
}

async function eraseShipmentsOf(context: ShopContext, orderIds: string[], { quotes }: Prepared) {
  const shipments = await lockShipmentsToErase(context, orderIds)
  const ids = shipments.map(({ id }) => id)
  // No more tracking: new scans would bring customer data back.
  await stopFollowing(context, context.shop.id, ids)
  await eraseShipments(
    context,
    shipments.map(({ id, products, pickup }) => ({
      id,
      products: quotes.redact(products === null ? null : productsWithoutCustomer(products)),
      pickup: erasedPickup(pickup),
    })),
  )
  return { shipments: shipments.length, events: await eraseEvents(context, ids) }
}

async function eraseClaimsOf(context: ShopContext, orderIds: string[], { deletedImages, quotes }: Prepared) {
  const claims = await lockClaimsToErase(context, orderIds)
  const keys = new Set(claims.flatMap(({ details }) => imageKeysIn(details, context.shop.id)))
  await eraseClaims(
    context,
    claims.map(({ id, details }) => ({ id, details: quotes.redact(erasedClaim(details)) })),
  )
  // Images of claims and uploads that arrived after the bytes were deleted.
  const remaining = [...keys, ...(await findUploads(context, orderIds))].filter((key) => !deletedImages.includes(key))
  return { claims: claims.length, images: await eraseImages(context, deletedImages, remaining) }
}

/**
 * Erases the notifications about orders. Called again at the end: internal triggers lock nothing, so they may have read
 * an order before it was erased.
 */
export async function eraseNotifications(context: ShopContext, orderIds: string[], quotes: Quotes) {
  const automation_runs_cancelled = await cancelAutomations(context, orderIds, reason)
  // Messages may wait for hours.
  const deliveries_cancelled = await cancelDeliveries(context, orderIds, [...integrationNames, mailReceiver])
  await eraseReceiverResponses(context, orderIds, quotes.pattern)
  let notifications = 0
  for (const orderId of orderIds) {
    let last: string | undefined = firstId
    while (last !== undefined) {
      const batch: { id: string; body: string }[] = await listUnerasedNotifications(
        context,
        orderId,
        last,
        notificationsPerBatch,
      )
      const erased = batch.map(({ id, body }) => ({ id, body: bodyWithoutCustomer(body, quotes) }))
      if (erased.length > 0) await replaceBodies(context, erased)
      notifications += batch.length
      last = batch.at(-1)?.id
    }
  }
  return { notifications, deliveries_cancelled, automation_runs_cancelled }
}

function bodyWithoutCustomer(body: string, quotes: Quotes): string {
  const payload = JSON.parse(body) as Payload // written by this service only
  return JSON.stringify(quotes.redact(erasedPayload(payload)))
}

/** Erases what campaigns, A/B tests, shop systems and segment providers stored about the orders. */
async function eraseRelatedData(context: ShopContext, orders: OrderToErase[], { quotes }: Prepared) {
  const ids = orders.map(({ id }) => id)
  const customers = [...new Set(orders.map(({ customer }) => customer))]
  await deleteSegmentFetches(context, ids)
  await deleteMessagesOf(context, ids)
  const shopSystemOrders = await lockShopSystemOrdersToErase(
    context,
    orders.map(({ external_id }) => external_id),
    shopSystemNames,
  )
  await eraseShopSystemOrders(
    context,
    shopSystemOrders.map(({ fulfilments, ...key }) => ({
      ...key,
      fulfilments: quotes.redact(erasedFulfilments(fulfilments)),
    })),
  )
  return {
    notes: await deleteNotes(context, ids),
    shop_system_orders: shopSystemOrders.length,
    page_views: await deletePageViews(context, ids),
    campaign_views: await eraseViews(context, customers, ids),
    ab_test_assignments: await eraseAssignments(context, customers),
  }
}
