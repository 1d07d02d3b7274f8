import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { fetchFilteredPage, matchColumns } from '../../database/shop-records.ts'
import type { Tables } from '../../database/tables.ts'
import type { Context } from '../../foundation/context.ts'
import type { Page } from '../../foundation/page.ts'
import type { ShopFilter } from './schema.ts'

export type ShopRow = Selectable<Tables['shops']>
export type NewShop = Insertable<Tables['shops']>
export type ShopChanges = Updateable<Tables['shops']>

export async function findShopIdentity(context: Pick<Context, 'db'>, slug: string): Promise<ShopRow | undefined> {
  return context.db
    .selectFrom('shops')
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .selectAll()
    .executeTakeFirst()
}

/** By id; undefined if it does not exist or was deleted. */
export async function findShop(context: Pick<Context, 'db'>, id: string): Promise<ShopRow | undefined> {
  return context.db
    .selectFrom('shops')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .executeTakeFirst()
}

/** The ids of these shops by slug; unknown slugs are missing. */
export async function findShopIds(context: Context, slugs: string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map()
  const rows = await context.db
    .selectFrom('shops')
    .where('slug', 'in', slugs)
    .where('deleted_at', 'is', null)
    .select(['id', 'slug'])
    .execute()
  return new Map(rows.map((row) => [row.slug, row.id]))
}

/** False if the slug is taken. */
export async function insertShop(context: Context, shop: NewShop): Promise<boolean> {
  const inserted = await context.db
    .insertInto('shops')
    .values(shop)
    .onConflict((conflict) => conflict.column('slug').where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateShop(context: Context, id: string, changes: ShopChanges): Promise<void> {
  await context.db.updateTable('shops').set(changes).where('id', '=', id).execute()
}

/**
 * Serialises writers of shop-wide data, such as the ranks of deals, until the transaction ends. Readers and other
 * writers of the shop are not blocked.
 */
export async function lockShop(context: Context, id: string): Promise<void> {
  await context.db.selectFrom('shops').where('id', '=', id).select('id').forNoKeyUpdate().execute()
}

/** The number of orders that determine a shop's currency: one foreign order does not change it. */
const latestOrders = 20

/** Sets the currency of these shops from their latest orders, unless their shop system has reported it. */
export async function followCurrency(context: Context, shopIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string; slug: string }>`
    with wanted as materialized (
      select shops.id, latest.currency from shops
      cross join lateral (
        select mode() within group (order by currency) as currency
        from (
          select orders.details ->> 'currency' as currency from orders
          where orders.shop_id = shops.id
          order by order_placed_at desc, orders.id desc
          limit ${sql.lit(latestOrders)}
        ) as newest
      ) as latest
      where shops.id = any(${shopIds}::uuid[]) and shops.system_currency is null and latest.currency <> shops.currency
    )
    update shops set currency = wanted.currency from wanted where shops.id = wanted.id
    returning shops.id, shops.slug`.execute(context.db)
  for (const { id, slug } of rows) await context.services.announce(context, { kind: 'shop', id, slug })
}

/** One page of the shops that the filter matches and the caller may see, by name. */
export function listShops(
  context: Context,
  filter: ShopFilter,
  visible: readonly string[] | 'all',
): Promise<Page<ShopRow>> {
  const conditions = [
    sql`deleted_at is null`,
    ...(visible === 'all' ? [] : [sql`id = any(${visible}::uuid[])`]),
    ...matchColumns({
      id: filter.uuid,
      name: filter.name,
      slug: filter.slug,
      shop_provider: filter.shop_provider,
      language: filter.language,
      organization: filter.organization,
    }),
  ]
  const query = {
    name: `shops ${visible === 'all' ? '' : visible.join()}`,
    rows: sql`from shops where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`name, id`,
  }
  return fetchFilteredPage(context, query, filter)
}

/** The URL of the shop system's own API. */
export async function findAdminUrl(context: Context, id: string): Promise<string | null> {
  const row = await context.db.selectFrom('shops').where('id', '=', id).select('shop_admin_url').executeTakeFirst()
  return row?.shop_admin_url ?? null
}

/** Whether the shop of a row with `shop_id` was deleted; null if it no longer exists. Uses the primary key only. */
export function isOfDeletedShop(row: string): RawBuilder<boolean | null> {
  return sql`(select shops.deleted_at is not null from shops where shops.id = ${sql.ref(`${row}.shop_id`)})`
}

/** Shops deleted before then, oldest deletion first. */
export async function listDeletedShops(
  context: Context,
  before: Date,
  limit: number,
): Promise<Pick<ShopRow, 'id' | 'slug'>[]> {
  return context.db
    .selectFrom('shops')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .select(['id', 'slug'])
    .execute()
}

/** Permanently removes a shop deleted before then; false if it was restored meanwhile. */
export async function removeShop(context: Context, id: string, before: Date): Promise<boolean> {
  const removed = await context.db
    .deleteFrom('shops')
    .where('id', '=', id)
    .where('deleted_at', '<', before)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}
