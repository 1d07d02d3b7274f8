import { sql } from 'kysely'
import { evaluateAllAgain } from '../../orders/promises/evaluate-again-store.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { defaultLimits, type Limits, stuckPhases } from './rules.ts'
import type { ExceptionSettings } from './schema.ts'

/** The limits of a shop: the defaults, except for what it has set. */
export async function readLimits(context: Context, shopId: string): Promise<Limits> {
  const settings = await readSettings(context, shopId)
  const stuckDays = { ...defaultLimits.stuckDays }
  for (const phase of stuckPhases) stuckDays[phase] = settings[`stuck_days_${phase}`]
  return { stuckDays, pickupDays: settings.pickup_days }
}

export async function readSettings(context: Context, shopId: string): Promise<ExceptionSettings> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('exceptions')
    .executeTakeFirst()
  const { stuckDays, pickupDays } = defaultLimits
  return {
    stuck_days_order_processed: stuckDays.order_processed,
    stuck_days_in_transit: stuckDays.in_transit,
    stuck_days_in_delivery: stuckDays.in_delivery,
    stuck_days_return_transit: stuckDays.return_transit,
    pickup_days: pickupDays,
    ...(row?.exceptions as Partial<ExceptionSettings> | undefined), // written below only
  }
}

/** Changes the given settings; null restores a default. Requests that all parcels are evaluated by them. */
export async function mergeSettings(
  context: ShopContext,
  settings: Partial<Record<keyof ExceptionSettings, number | null>>,
): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ exceptions: sql`jsonb_strip_nulls(exceptions || ${JSON.stringify(settings)}::jsonb)` })
    .where('shop_id', '=', context.shop.id)
    .execute()
  await evaluateAllAgain(context)
}
