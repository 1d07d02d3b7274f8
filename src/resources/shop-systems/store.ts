import type { Context, ShopContext } from '../../foundation/context.ts'
import type { ShopSystemName } from '../../shop-systems/shop-system.ts'
import type { OrderSnapshot, ProductSnapshot } from './rules.ts'

/**
 * The snapshot of an order, created if it is new, and locked until the transaction ends: messages about one order are
 * applied one after the other.
 */
export async function lockOrderSnapshot(
  context: ShopContext,
  system: ShopSystemName,
  externalId: string,
): Promise<OrderSnapshot> {
  const row = await context.db
    .insertInto('shop_system_orders')
    .values({ ...key(context, system, externalId), expected_shipments: 1, is_applied: false, fulfilments: '{}' })
    .onConflict((conflict) => conflict.columns(['shop_id', 'system', 'external_id']).doUpdateSet({ system }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    changedAt: row.changed_at,
    sentAt: row.sent_at,
    cancelledAt: row.cancelled_at,
    deletedAt: row.deleted_at,
    quantity: row.quantity,
    expectedShipments: row.expected_shipments,
    isApplied: row.is_applied,
    fulfilments: row.fulfilments as OrderSnapshot['fulfilments'], // written below only
  }
}

export async function updateOrderSnapshot(
  context: ShopContext,
  system: ShopSystemName,
  externalId: string,
  snapshot: OrderSnapshot,
): Promise<void> {
  await context.db
    .updateTable('shop_system_orders')
    .set({
      changed_at: snapshot.changedAt,
      sent_at: snapshot.sentAt,
      cancelled_at: snapshot.cancelledAt,
      deleted_at: snapshot.deletedAt,
      quantity: snapshot.quantity,
      expected_shipments: snapshot.expectedShipments,
      is_applied: snapshot.isApplied,
      fulfilments: JSON.stringify(snapshot.fulfilments),
    })
    .where('shop_id', '=', context.shop.id)
    .where('system', '=', system)
    .where('external_id', '=', externalId)
    .execute()
}

/** The snapshot of a product, or of a variant that is reported on its own. */
export async function lockProductSnapshot(
  context: ShopContext,
  system: ShopSystemName,
  externalId: string,
): Promise<ProductSnapshot> {
  const row = await context.db
    .insertInto('shop_system_products')
    .values(key(context, system, externalId))
    .onConflict((conflict) => conflict.columns(['shop_id', 'system', 'external_id']).doUpdateSet({ system }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    productId: row.product_id,
    changedAt: row.changed_at,
    sentAt: row.sent_at,
    deletedAt: row.deleted_at,
  }
}

export async function updateProductSnapshot(
  context: ShopContext,
  system: ShopSystemName,
  externalId: string,
  snapshot: ProductSnapshot,
): Promise<void> {
  await context.db
    .updateTable('shop_system_products')
    .set({
      product_id: snapshot.productId,
      changed_at: snapshot.changedAt,
      sent_at: snapshot.sentAt,
      deleted_at: snapshot.deletedAt,
    })
    .where('shop_id', '=', context.shop.id)
    .where('system', '=', system)
    .where('external_id', '=', externalId)
    .execute()
}

/** The system's own signing secret, accepted in addition to the shop's; undefined if none is set. */
export async function findSystemSecret(
  context: Context,
  shopId: string,
  system: ShopSystemName,
): Promise<string | undefined> {
  const row = await context.db
    .selectFrom('shop_system_secrets')
    .where('shop_id', '=', shopId)
    .where('system', '=', system)
    .select('sealed')
    .executeTakeFirst()
  return row && context.services.vault.open(row.sealed, purposeOf(shopId, system))
}

/** Null removes it. */
export async function putSystemSecret(
  context: Context,
  shopId: string,
  system: ShopSystemName,
  secret: string | null,
): Promise<void> {
  if (secret === null) {
    await context.db
      .deleteFrom('shop_system_secrets')
      .where('shop_id', '=', shopId)
      .where('system', '=', system)
      .execute()
    return
  }
  const fresh = { sealed: context.services.vault.seal(secret, purposeOf(shopId, system)), updated_at: context.now }
  await context.db
    .insertInto('shop_system_secrets')
    .values({ shop_id: shopId, system, ...fresh })
    .onConflict((conflict) => conflict.columns(['shop_id', 'system']).doUpdateSet(fresh))
    .execute()
}

function key(context: ShopContext, system: ShopSystemName, externalId: string) {
  return { shop_id: context.shop.id, system, external_id: externalId }
}

/** Binds the sealed text to its row: copied to another shop or system, it does not open. */
function purposeOf(shopId: string, system: ShopSystemName): string {
  return `${shopId}:${system}:webhooks`
}
