import type { ShopDays } from '../../platform/calendars/calendars.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { CalendarSettings } from './schema.ts'

/** The days of a shop as calendars take them: `calendarOf(country, await readShopDays(…))`. */
export async function readShopDays(context: Context, shopId: string): Promise<ShopDays> {
  const { weekend, closed_days, open_days } = await readCalendar(context, shopId)
  return { weekend, closed: closed_days.map(({ date }) => date), open: open_days.map(({ date }) => date) }
}

export async function readCalendar(context: Context, shopId: string): Promise<CalendarSettings> {
  const row = await context.db
    .selectFrom('shop_settings')
    .where('shop_id', '=', shopId)
    .select('calendar')
    .executeTakeFirst()
  return {
    weekend: [6, 7],
    closed_days: [],
    open_days: [],
    ...(row?.calendar as Partial<CalendarSettings> | undefined), // written below only
  }
}

export async function putCalendar(context: ShopContext, settings: CalendarSettings): Promise<void> {
  await context.db
    .updateTable('shop_settings')
    .set({ calendar: JSON.stringify(settings) })
    .where('shop_id', '=', context.shop.id)
    .execute()
}
