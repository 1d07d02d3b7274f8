import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { defaultSettings, type PromiseSettings } from './settings.ts'

export async function readPromiseSettings(
  context: Context,
  shopId: string,
  options: { isLocked?: boolean } = {},
): Promise<PromiseSettings> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('delivery_promises')
    .$if(options.isLocked ?? false, (query) => query.forUpdate())
    .executeTakeFirst()
  return { ...defaultSettings, ...(row?.delivery_promises as Partial<PromiseSettings> | undefined) } // written below only
}

export async function writePromiseSettings(context: ShopContext, settings: PromiseSettings): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ delivery_promises: JSON.stringify(settings) })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
