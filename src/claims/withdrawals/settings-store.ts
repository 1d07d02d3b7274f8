import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { shortestPeriodDays, type WithdrawalSettings } from './schema.ts'

const defaults: WithdrawalSettings = {
  enabled: false,
  period_days: shortestPeriodDays,
  country: null,
  exempt_categories: [],
  instructions: {},
}

export async function readSettings(context: Context, shopId: string): Promise<WithdrawalSettings> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('withdrawal')
    .executeTakeFirst()
  return { ...defaults, ...(row?.withdrawal as Partial<WithdrawalSettings> | undefined) } // written below only
}

export async function writeSettings(context: ShopContext, settings: WithdrawalSettings): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ withdrawal: JSON.stringify(settings) })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
