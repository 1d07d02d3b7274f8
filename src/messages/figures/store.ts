import { sql } from 'kysely'
import { coalesced } from '../../platform/foundation/coalesce.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { LinkKind } from './links.ts'

export interface Counted {
  shopId: string
  at: Date
  group: string
  kind: 'sent' | LinkKind
}

/** Counts a click. Clicks of the same moment share one statement. */
export const countClick: (context: Context, click: Counted) => Promise<undefined> = coalesced(countAll)

/** Adds to the figures of days. Nothing is stored about who it was. */
export async function countAll(context: Context, counted: Counted[]): Promise<undefined[]> {
  const rows = counted.map(({ shopId, at, group, kind }) => ({
    shop_id: shopId,
    day: at.toISOString().slice(0, 10),
    event_group: group,
    kind,
  }))
  await sql`
    insert into mail_figures as known (shop_id, day, event_group, kind, count)
    select shop_id, day, event_group, kind, count(*)
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, day date, event_group text, kind text)
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (shop_id, day, event_group, kind) do update set count = known.count + excluded.count`.execute(
    context.db,
  )
  return counted.map(() => undefined)
}

export interface StoredFigure {
  day: string
  event_group: string
  kind: string
  count: number
}

export async function findFigures(context: ShopContext, firstDay: string, lastDay: string): Promise<StoredFigure[]> {
  const { rows } = await sql<StoredFigure>`
    select day::text as day, event_group, kind, count from mail_figures
    where shop_id = ${context.shop.id} and day between ${firstDay}::date and ${lastDay}::date
    order by day, event_group, kind`.execute(context.db)
  return rows
}
