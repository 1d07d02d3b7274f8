import type { ReportedFulfilment, ReportedOrder } from '../../src/adapters/shop-systems/shop-system.ts'
import { applyOrderMessage } from '../../src/connections/shop-systems/apply-order.ts'
import { mergeFulfilment, mergeOrder, withTime } from '../../src/connections/shop-systems/rules.ts'
import { inTransaction } from '../../src/platform/foundation/transaction.ts'
import { theService } from './service.ts'
import type { TestShop } from './shop.ts'

/** Reports an order as an adapter of a shop system does: for cases without a recorded message. */
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
  const reported = withTime(order, context.now)
  await inTransaction(context, (context) =>
    applyOrderMessage(context, 'shopify', {
      externalId: id,
      order: reported,
      merge: (known) => mergeOrder(known, reported, context.now),
    }),
  )
}

/** Reports a single parcel. */
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
    applyOrderMessage(context, 'shopify', {
      externalId: orderId,
      order: undefined,
      merge: (known) => mergeFulfilment(known, fulfilment, context.now),
    }),
  )
}

async function contextOf({ slug, service }: TestShop) {
  const { database, context } = service ?? (await theService())
  const shop = await database.db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  return { ...context(), shop }
}
