import type { ShopContext } from '../../foundation/context.ts'
import {
  analyticsWithoutCustomer,
  detailsWithoutCustomer,
  productsWithoutCustomer,
} from '../../journey/orders/without-customer.ts'
import { integrationNames } from '../../marketing/integration.ts'
import { shopSystemNames } from '../../shop-systems/shop-system.ts'
import type { Payload } from '../payloads/payload.ts'
import { erasedFulfilments } from '../shop-systems/without-customer.ts'
import { stopFollowing } from '../tracking/stop-store.ts'
import {
  eraseClaims,
  eraseEvents,
  eraseImages,
  eraseOrders,
  eraseShipments,
  eraseSnapshots,
  forgetSegmentFetches,
  lockClaimsToErase,
  lockOrdersToErase,
  lockShipmentsToErase,
  lockSnapshotsToErase,
  type OrderToErase,
} from './erase-order-store.ts'
import { findUploads } from './find-store.ts'
import {
  cancelAutomations,
  cancelDeliveries,
  eraseAnswersOfReceivers,
  listTold,
  replaceBodies,
} from './notified-store.ts'
import type { Quotes } from './quotes.ts'
import { erasedClaim, erasedPayload, erasedPickup, imageKeysIn } from './rules.ts'
import type { CustomerErasure } from './schema.ts'
import { eraseAssignments, eraseViews } from './view-store.ts'

interface Known {
  /** Keys of images whose bytes are gone. */
  deleted: string[]
  quotes: Quotes
}

const reason = "the customer's data was erased"
const toldAtOnce = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/** Erases orders with all that belongs to them, inside the caller's transaction. */
export async function eraseOrdersOfBatch(
  context: ShopContext,
  email: string,
  orderIds: string[],
  known: Known,
): Promise<Partial<CustomerErasure>> {
  // Orders, shipments, claims: as other writers lock them. What they have written until then is seen below.
  const orders = await lockOrdersToErase(context, email, orderIds)
  const ids = orders.map(({ id }) => id)
  return {
    ...(await eraseParcels(context, ids, known)),
    ...(await eraseClaimsOf(context, ids, known)),
    ...(await eraseTold(context, ids, known.quotes)),
    ...(await eraseAround(context, orders, known)),
    orders: await eraseOrdersThemselves(context, orders, known),
  }
}

async function eraseOrdersThemselves(context: ShopContext, orders: OrderToErase[], { quotes }: Known): Promise<number> {
  await eraseOrders(
    context,
    orders.map(({ id, order_name, details, order_analytics }) => ({
      id,
      order_name: quotes.takeOut(order_name),
      details: quotes.takeOut(detailsWithoutCustomer(details)),
      order_analytics: quotes.takeOut(analyticsWithoutCustomer(order_analytics)),
    })),
  )
  return orders.length
}

async function eraseParcels(context: ShopContext, orderIds: string[], { quotes }: Known) {
  const shipments = await lockShipmentsToErase(context, orderIds)
  const ids = shipments.map(({ id }) => id)
  // What a carrier would tell from now on is told of nobody: it is not asked any more.
  await stopFollowing(context, context.shop.id, ids)
  await eraseShipments(
    context,
    shipments.map(({ id, products, pickup }) => ({
      id,
      products: quotes.takeOut(products === null ? null : productsWithoutCustomer(products)),
      pickup: erasedPickup(pickup),
    })),
  )
  return { shipments: shipments.length, events: await eraseEvents(context, ids) }
}

async function eraseClaimsOf(context: ShopContext, orderIds: string[], { deleted, quotes }: Known) {
  const claims = await lockClaimsToErase(context, orderIds)
  const keys = new Set(claims.flatMap(({ details }) => imageKeysIn(details, context.shop.id)))
  await eraseClaims(
    context,
    claims.map(({ id, details }) => ({ id, details: quotes.takeOut(erasedClaim(details)) })),
  )
  // Of a claim that was filed, or an upload that came, a moment ago.
  const left = [...keys, ...(await findUploads(context, orderIds))].filter((key) => !deleted.includes(key))
  return { claims: claims.length, images: await eraseImages(context, deleted, left) }
}

/** What was told of orders. Also for a second look: who tells without touching an order may have read it before. */
export async function eraseTold(context: ShopContext, orderIds: string[], quotes: Quotes) {
  const automation_runs_cancelled = await cancelAutomations(context, orderIds, reason)
  const deliveries_cancelled = await cancelDeliveries(context, orderIds, integrationNames)
  await eraseAnswersOfReceivers(context, orderIds, quotes.pattern)
  let notifications = 0
  for (const orderId of orderIds) {
    let last: string | undefined = firstId
    while (last !== undefined) {
      const told: { id: string; body: string }[] = await listTold(context, orderId, last, toldAtOnce)
      const erased = told.map(({ id, body }) => ({ id, body: bodyWithoutCustomer(body, quotes) }))
      if (erased.length > 0) await replaceBodies(context, erased)
      notifications += told.length
      last = told.at(-1)?.id
    }
  }
  return { notifications, deliveries_cancelled, automation_runs_cancelled }
}

function bodyWithoutCustomer(body: string, quotes: Quotes): string {
  const payload = JSON.parse(body) as Payload // written by our own publishing only
  return JSON.stringify(quotes.takeOut(erasedPayload(payload)))
}

/** What campaigns, tests, shop systems and segment providers have to do with the orders. */
async function eraseAround(context: ShopContext, orders: OrderToErase[], { quotes }: Known) {
  const ids = orders.map(({ id }) => id)
  const customers = [...new Set(orders.map(({ customer }) => customer))]
  await forgetSegmentFetches(context, ids)
  const snapshots = await lockSnapshotsToErase(
    context,
    orders.map(({ external_id }) => external_id),
    shopSystemNames,
  )
  await eraseSnapshots(
    context,
    snapshots.map(({ fulfilments, ...name }) => ({
      ...name,
      fulfilments: quotes.takeOut(erasedFulfilments(fulfilments)),
    })),
  )
  return {
    shop_system_orders: snapshots.length,
    campaign_views: await eraseViews(context, customers, ids),
    ab_test_assignments: await eraseAssignments(context, customers),
  }
}
