import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { DeliveryTarget, SetTarget } from './schema.ts'

const defaults: DeliveryTarget = { days: null, unit: 'business', since: 'placed' }

export async function readTarget(context: Context, shopId: string): Promise<DeliveryTarget> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('delivery_target')
    .executeTakeFirst()
  return { ...defaults, ...(row?.delivery_target as Partial<DeliveryTarget> | null | undefined) } // written below only
}

/** The target of the shop; null if it has none. */
export async function findTarget(context: ShopContext): Promise<SetTarget | null> {
  const { days, ...target } = await readTarget(context, context.shop.id)
  return days === null ? null : { days, ...target }
}

export async function writeTarget(context: ShopContext, target: DeliveryTarget): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ delivery_target: JSON.stringify(target) })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
