import { type Selectable, sql } from 'kysely'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import type { OrderSnapshot, ProductSnapshot } from './rules.ts'

/**
 * The snapshots of orders, by their ids in the shop system, created if they are new, and locked until the transaction ends:
 * messages about one order are applied one after the other. Locked in the order of their ids, so that callers cannot deadlock.
 */
export async function lockOrderSnapshots(
  context: ShopContext,
  system: ShopSystemName,
  externalIds: string[],
): Promise<Map<string, OrderSnapshot>> {
  if (externalIds.length === 0) return new Map()
  // Locks a known row without writing it: most orders that are read again are unchanged.
  await sql`
    insert into shop_system_orders (shop_id, system, external_id, expected_shipments, is_applied, fulfilments)
    select ${context.shop.id}::uuid, ${system}, external_id, 1, false, '{}'::jsonb
    from unnest(${externalIds}::text[]) as given (external_id)
    order by external_id
    on conflict (shop_id, system, external_id) do update set system = excluded.system where false`.execute(context.db)
  const { rows } = await sql<Selectable<Tables['shop_system_orders']>>`
    select found.* from unnest(${externalIds}::text[]) as given (external_id)
    cross join lateral (
      -- A look-up for each: for a join, the planner may read all orders of the system.
      select * from shop_system_orders as one
      where one.shop_id = ${context.shop.id} and one.system = ${system} and one.external_id = given.external_id
      limit 1
    ) as found`.execute(context.db)
  return new Map(
    rows.map((row) => [
      row.external_id,
      {
        changedAt: row.changed_at,
        sentAt: row.sent_at,
        cancelledAt: row.cancelled_at,
        deletedAt: row.deleted_at,
        quantity: row.quantity,
        expectedShipments: row.expected_shipments,
        isApplied: row.is_applied,
        fulfilments: row.fulfilments as OrderSnapshot['fulfilments'], // written below only
      },
    ]),
  )
}

export async function updateOrderSnapshots(
  context: ShopContext,
  system: ShopSystemName,
  updates: { externalId: string; snapshot: OrderSnapshot }[],
): Promise<void> {
  if (updates.length === 0) return
  const rows = updates.map(({ externalId, snapshot }) => ({
    external_id: externalId,
    changed_at: snapshot.changedAt,
    sent_at: snapshot.sentAt,
    cancelled_at: snapshot.cancelledAt,
    deleted_at: snapshot.deletedAt,
    quantity: snapshot.quantity,
    expected_shipments: snapshot.expectedShipments,
    is_applied: snapshot.isApplied,
    fulfilments: snapshot.fulfilments,
  }))
  await sql`
    update shop_system_orders set
      changed_at = given.changed_at, sent_at = given.sent_at, cancelled_at = given.cancelled_at,
      deleted_at = given.deleted_at, quantity = given.quantity, expected_shipments = given.expected_shipments,
      is_applied = given.is_applied, fulfilments = given.fulfilments
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (external_id text, changed_at timestamptz, sent_at timestamptz, cancelled_at timestamptz, deleted_at timestamptz,
       quantity int, expected_shipments smallint, is_applied boolean, fulfilments jsonb)
    cross join lateral (
      -- A look-up for each: for a join, the planner may read all orders of the system.
      select ctid from shop_system_orders as one
      where one.shop_id = ${context.shop.id} and one.system = ${system} and one.external_id = given.external_id
      limit 1
    ) as found
    -- The caller has locked them, so no other version can follow.
    where shop_system_orders.ctid = found.ctid`.execute(context.db)
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

/** The system's own signing secrets, newest first, accepted in addition to the shop's; none if none is set. */
export async function findSystemSecrets(context: Context, shopId: string, system: ShopSystemName): Promise<string[]> {
  const row = await context.db
    .selectFrom('shop_system_secrets')
    .where('shop_id', '=', shopId)
    .where('system', '=', system)
    .select(['sealed', 'former_sealed', 'former_until'])
    .executeTakeFirst()
  const isFormerValid = row?.former_until != null && row.former_until > context.now
  const sealed = [row?.sealed, isFormerValid ? row.former_sealed : null]
  return sealed.flatMap((secret) => (secret ? [context.services.vault.open(secret, purposeOf(shopId, system))] : []))
}

/** The one that it replaces is accepted until then. Null removes both. */
export async function putSystemSecret(
  context: ShopContext,
  system: ShopSystemName,
  secret: string | null,
  formerUntil: Date,
): Promise<void> {
  const shopId = context.shop.id
  if (secret === null) {
    await context.db
      .deleteFrom('shop_system_secrets')
      .where('shop_id', '=', shopId)
      .where('system', '=', system)
      .execute()
    return
  }
  const [current] = await findSystemSecrets(context, shopId, system)
  const fresh = { sealed: context.services.vault.seal(secret, purposeOf(shopId, system)), updated_at: context.now }
  const isAccepted = formerUntil > context.now
  await context.db
    .insertInto('shop_system_secrets')
    .values({ shop_id: shopId, system, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(['shop_id', 'system']).doUpdateSet({
        ...fresh,
        // The same one again: what is accepted besides it stays.
        ...(current === secret
          ? {}
          : {
              former_sealed: isAccepted ? sql.ref('shop_system_secrets.sealed') : null,
              former_until: isAccepted ? formerUntil : null,
            }),
      }),
    )
    .execute()
}

function key(context: ShopContext, system: ShopSystemName, externalId: string) {
  return { shop_id: context.shop.id, system, external_id: externalId }
}

/** Binds the sealed text to its row: copied to another shop or system, it does not open. */
function purposeOf(shopId: string, system: ShopSystemName): string {
  return `${shopId}:${system}:webhooks`
}
