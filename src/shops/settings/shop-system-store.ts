import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { ShopSystemSettings } from './shop-system-schema.ts'

/** The merchant's settings for each shop system, with defaults for the rest. */
export async function getShopSystemSettings(context: Context, shopId: string): Promise<ShopSystemSettings> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('shop_systems')
    .executeTakeFirstOrThrow()
  const { woocommerce } = row.shop_systems as Partial<ShopSystemSettings> // written in this file only
  return { woocommerce: { on_hold_is_order: true, ...woocommerce } }
}

export async function mergeWooCommerceSettings(
  context: Context,
  shopId: string,
  settings: Partial<ShopSystemSettings['woocommerce']>,
): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({
      shop_systems: sql`jsonb_set(shop_systems, '{woocommerce}',
        coalesce(shop_systems -> 'woocommerce', '{}') || ${JSON.stringify(settings)}::jsonb)`,
    })
    .where('shop_id', '=', shopId)
    .execute()
}
