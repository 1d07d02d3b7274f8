import { inTransaction } from '../../src/foundation/transaction.ts'
import { hearFulfilment, hearOrder, withTime } from '../../src/resources/shop-systems/rules.ts'
import { takeOrder } from '../../src/resources/shop-systems/take-order.ts'
import type { ReportedFulfilment, ReportedOrder } from '../../src/shop-systems/shop-system.ts'
import { theService } from './service.ts'
import type { TestShop } from './shop.ts'

/** Hands an order over as an adapter of a shop system reads it: for what no recorded message says yet. */
export async function reportOrder(shop: TestShop, id: string, fields: Partial<ReportedOrder> = {}): Promise<void> {
  const context = await contextOf(shop)
  const order: ReportedOrder = {
    id,
    orderNumber: id,
    changedAt: context.now,
    sentAt: undefined,
    fields: { products: [{ title: 'Rain jacket', quantity: 1, sku: 'RJ-42' }] },
    cancelledAt: null,
    isRestored: false,
    quantity: 1,
    fulfilments: [],
    hasAllFulfilments: false,
    attributes: [],
    ...fields,
  }
  const told = withTime(order, context.now)
  await inTransaction(context, (context) =>
    takeOrder(context, 'shopify', {
      externalId: id,
      order: told,
      hear: (known) => hearOrder(known, told, context.now),
    }),
  )
}

/** A parcel that is told of by itself. */
export async function reportParcel(shop: TestShop, orderId: string, trackingNumber: string): Promise<void> {
  const context = await contextOf(shop)
  const fulfilment: ReportedFulfilment = {
    id: `fulfilment-${trackingNumber}`,
    changedAt: context.now,
    sentAt: undefined,
    isActive: true,
    quantity: undefined,
    parcels: [{ tracking_number: trackingNumber }],
  }
  await inTransaction(context, (context) =>
    takeOrder(context, 'shopify', {
      externalId: orderId,
      order: undefined,
      hear: (known) => hearFulfilment(known, fulfilment, context.now),
    }),
  )
}

async function contextOf({ slug, service }: TestShop) {
  const { database, context } = service ?? (await theService())
  const shop = await database.db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  return { ...context(), shop }
}
