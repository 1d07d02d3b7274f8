import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Context } from '../../foundation/operation.ts'

export type ImageRow = Selectable<Tables['images']>

export async function insertImage(context: Context, image: ImageRow): Promise<void> {
  await context.db.insertInto('images').values(image).execute()
}

/** Nothing for an image of a deleted shop: its images go where the shop goes. */
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
