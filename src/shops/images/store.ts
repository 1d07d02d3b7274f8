import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

export type ImageRow = Selectable<Tables['images']>

export async function insertImage(context: Context, image: ImageRow): Promise<void> {
  await context.db.insertInto('images').values(image).execute()
}

/** Excludes images of deleted shops. */
export async function findImage(context: Context, shopId: string, key: string): Promise<ImageRow | undefined> {
  return context.db
    .selectFrom('images')
    .innerJoin('shops', 'shops.id', 'images.shop_id')
    .where('images.shop_id', '=', shopId)
    .where('images.key', '=', key)
    .where('shops.deleted_at', 'is', null)
    .selectAll('images')
    .executeTakeFirst()
}

/** Whether the image has a row, even if its shop is hidden or deleted. */
export async function hasImage(context: Pick<Context, 'db'>, shopId: string, key: string): Promise<boolean> {
  const found = await context.db
    .selectFrom('images')
    .where('shop_id', '=', shopId)
    .where('key', '=', key)
    .select('key')
    .executeTakeFirst()
  return found !== undefined
}

/** Those of the keys whose images exist and have not expired. */
export async function findUnexpiredImages(context: ShopContext, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await context.db
    .selectFrom('images')
    .where('shop_id', '=', context.shop.id)
    .where('key', 'in', keys)
    .where((found) => found.or([found('expires_at', 'is', null), found('expires_at', '>', context.now)]))
    .select('key')
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Removes the expiry that images were uploaded with. */
export async function makeImagesPermanent(context: ShopContext, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await context.db
    .updateTable('images')
    .set({ expires_at: null })
    .where('shop_id', '=', context.shop.id)
    .where('key', 'in', keys)
    .execute()
}

/** Images of all shops that expired before this instant, oldest first. */
export async function listExpiredImages(
  context: Context,
  before: Date,
  limit: number,
): Promise<Pick<ImageRow, 'shop_id' | 'key'>[]> {
  return context.db
    .selectFrom('images')
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(limit)
    .select(['shop_id', 'key'])
    .execute()
}

export async function deleteImage(context: Context, shopId: string, key: string): Promise<void> {
  await context.db.deleteFrom('images').where('shop_id', '=', shopId).where('key', '=', key).execute()
}

/** Image keys of a shop in key order, starting after the given one. */
export async function listImageKeys(context: Context, shopId: string, after: string, limit: number): Promise<string[]> {
  const rows = await context.db
    .selectFrom('images')
    .where('shop_id', '=', shopId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .select('key')
    .execute()
  return rows.map(({ key }) => key)
}

export async function deleteImages(context: Context, shopId: string, keys: readonly string[]): Promise<void> {
  await context.db
    .deleteFrom('images')
    .where('shop_id', '=', shopId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
}
