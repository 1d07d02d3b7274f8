import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchFilteredPage, matchColumns } from '../../platform/store/shop-records.ts'
import { addressFields } from './addresses.ts'
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

/** Shops that the filter matches and the caller may see, by name. */
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

/** A user name and a password before the host of an address. */
const credentials = '^(https?://)[^/?#\\\\]*@'

/** Removes user names and passwords that an earlier version has stored in addresses of shops. Returns these shops. */
export async function dropStoredCredentials({ db }: Pick<Context, 'db'>): Promise<Pick<ShopRow, 'id' | 'slug'>[]> {
  const fields = addressFields.map((name) => sql.ref(name))
  const { rows } = await sql<Pick<ShopRow, 'id' | 'slug'>>`
    update shops set ${sql.join(fields.map((field) => sql`${field} = regexp_replace(${field}, ${credentials}, '\\1', 'i')`))}
    where ${sql.join(
      fields.map((field) => sql`${field} ~* ${credentials}`),
      sql` or `,
    )}
    returning id, slug`.execute(db)
  return rows
}

/** Shops that were deleted before then, longest ago first. */
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

/**
 * Marks imports of whole shops that have recorded no progress since then as shops that were deleted long ago. If such an
 * import still runs, it notices that `updated_at` is not the time that it wrote.
 */
export async function giveUpImports(context: Context, before: Date): Promise<void> {
  await context.db
    .updateTable('shops')
    .set({ deleted_at: new Date(0), updated_at: context.now })
    .where('deleted_at', '>', new Date(0))
    .where('paused_for', '=', 'import')
    .where('updated_at', '<', before)
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
