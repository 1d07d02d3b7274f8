import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { ReportPeriod } from '../analytics/period.ts'
import type { PromiseCount } from './rules.ts'

/** Counts the promises whose last day is in the period, by route, percentile and state. Reads an index alone. */
export async function countPromises(
  context: ShopContext,
  { firstDay, lastDay }: ReportPeriod,
  { carrier, country }: { carrier: string | undefined; country: string | undefined },
): Promise<PromiseCount[]> {
  const { rows } = await sql<PromiseCount>`
    select carrier_reference as carrier, destination_country as country, percentile, state, count(*)::int as count,
      count(share_by_latest)::int as stated, coalesce(sum(share_by_latest), 0)::float8 as "statedSum",
      count(earliest)::int as windows, coalesce(sum(latest - earliest + 1), 0)::int as "windowDays"
    from order_promises
    where shop_id = ${context.shop.id} and latest >= ${firstDay}::date and latest <= ${lastDay}::date
      ${carrier === undefined ? sql`` : sql`and carrier_reference = ${carrier}`}
      ${country === undefined ? sql`` : sql`and destination_country = ${country}`}
    group by carrier_reference, destination_country, percentile, state`.execute(context.db)
  return rows
}
