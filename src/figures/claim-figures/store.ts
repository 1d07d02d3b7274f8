import { type RawBuilder, sql } from 'kysely'
import { claimReasons } from '../../claims/claims/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** Claims created from the one moment until before the other. */
export interface CountedRange {
  from: Date
  until: Date
  /** The newest so many are counted. */
  limit: number
}

/** The counts of a group of claims: a column for each reason. */
export type CountedClaims = Record<(typeof claimReasons)[number], number> & {
  claims: number
  accepted: number
  rejected: number
  closed: number
  open: number
  hours: number | null
}

export async function countAll(
  context: ShopContext,
  range: CountedRange,
): Promise<CountedClaims & { isTruncated: boolean }> {
  const { rows } = await sql<CountedClaims & { isTruncated: boolean }>`
    with filed as materialized (${filedIn(context, range, sql``)})
    select ${counts}, exists (
      select 1 from (
        select 1 from claims where ${inRange(context, range)} limit 1 offset ${sql.lit(range.limit)}
      ) as further
    ) as "isTruncated"
    from filed`.execute(context.db)
  const [all] = rows
  if (all === undefined) throw new Error('counting claims returned nothing')
  return all
}

export async function countByCarrier(
  context: ShopContext,
  range: CountedRange,
  limit: number,
): Promise<(CountedClaims & { carrier: string | null; company: string | null })[]> {
  const { rows } = await sql<CountedClaims & { carrier: string | null; company: string | null }>`
    with filed as materialized (${filedIn(context, range, sql`, shipment_id`)})
    select parcel.carrier_reference as carrier, max(parcel.tracking_company) as company, ${counts}
    from filed
    left join lateral (
      select carrier_reference, tracking_company from shipments
      where shipments.shop_id = ${context.shop.id} and shipments.id = filed.shipment_id
      limit 1
    ) as parcel on true
    group by parcel.carrier_reference
    order by count(*) desc, parcel.carrier_reference
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** A claim counts once for each of its products; an article number says more than a title. */
export async function countByProduct(
  context: ShopContext,
  range: CountedRange,
  limit: number,
): Promise<(CountedClaims & { sku: string | null; title: string | null })[]> {
  const items = sql`, case when jsonb_array_length(details -> 'selected_items') > 0
    then details -> 'selected_items' else details -> 'damaged_product_items' end as items`
  const { rows } = await sql<CountedClaims & { sku: string | null; title: string | null }>`
    with filed as materialized (${filedIn(context, range, items)})
    select max(product.sku) as sku, max(product.title) as title, ${counts}
    from filed
    left join lateral (
      select distinct on (coalesce(item ->> 'sku', item ->> 'title')) coalesce(item ->> 'sku', item ->> 'title') as key,
        item ->> 'sku' as sku, item ->> 'title' as title
      from jsonb_array_elements(filed.items) as item
    ) as product on true
    group by product.key
    order by count(*) desc, product.key
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

function inRange(context: ShopContext, { from, until }: CountedRange): RawBuilder<unknown> {
  return sql`shop_id = ${context.shop.id} and deleted_at is null and created_at >= ${from} and created_at < ${until}`
}

/** The newest claims of the range. What was decided before decisions were recorded follows from the status. */
function filedIn(context: ShopContext, range: CountedRange, further: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select reason, case when status = 'pending' then 'open' else coalesce(decision, status) end as outcome,
      extract(epoch from decided_at - created_at) / 3600 as hours ${further}
    from claims where ${inRange(context, range)}
    order by created_at desc, id desc
    limit ${sql.lit(range.limit)}`
}

const counts = sql.join([
  sql`count(*) as claims`,
  ...claimReasons.map((reason) => sql`count(*) filter (where reason = ${sql.lit(reason)}) as ${sql.ref(reason)}`),
  ...['accepted', 'rejected', 'closed', 'open'].map(
    (outcome) => sql`count(*) filter (where outcome = ${sql.lit(outcome)}) as ${sql.ref(outcome)}`,
  ),
  sql`percentile_cont(0.5) within group (order by hours) as hours`,
])
