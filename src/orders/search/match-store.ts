import { type RawBuilder, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { zipKey } from '../orders/search-store.ts'
import type { MatchKind } from './schema.ts'

/** An order that a text leads to. */
export interface Match {
  matched: MatchKind
  orderId: string
  /** The parcel, if its tracking number matched. */
  shipmentId: string | null
  isExact: boolean
  placedAt: Date
}

export interface Matches {
  found: Match[]
  /** Whether more orders may match than were read. */
  isCut: boolean
}

/** Of each index, no more rows are read, however many begin with the text. */
const rowsPerIndex = 100
/** So many of the newest orders and parcels are compared if an index has more. */
const newestRows = 500

/**
 * The orders that have something beginning with the text, from one range of each index. In a range, exact matches come
 * first. If there are more than were read, the newest of the shop are compared too: a short text then finds recent orders.
 */
export async function findMatches(context: ShopContext, text: string): Promise<Matches> {
  const wanted = keysOf(text)
  const ranges = [...orderRanges(context.shop.id, wanted), ...shipmentRanges(context.shop.id, wanted)]
  const numbered = ranges.map((range, number) => sql`(select ${sql.lit(number)} as range, * from (${range}) as found)`)
  const { rows } = await sql<Match & { range: number }>`${sql.join(numbered, sql` union all `)}`.execute(context.db)
  const read = new Map<number, number>()
  for (const { range } of rows) read.set(range, (read.get(range) ?? 0) + 1)
  const isCut = [...read.values()].some((count) => count >= rowsPerIndex)
  const newest = isCut ? await findAmongNewest(context, wanted) : []
  return { found: [...rows.map(({ range: _range, ...match }) => match), ...newest], isCut }
}

/** The text as each index has it. A key may be empty: then it matches nothing. */
interface Keys {
  number: RawBuilder<string>
  email: RawBuilder<string>
  zip: RawBuilder<string>
  name: RawBuilder<string>
}

function keysOf(text: string): Keys {
  const given = sql`${text.trim()}::text`
  return {
    number: sql`bare_number(${given})`,
    email: sql`lower(${given})`,
    zip: zipKey(given),
    name: sql`fold_name(${given})`,
  }
}

interface Range {
  matched: MatchKind
  key: RawBuilder<unknown>
  wanted: RawBuilder<string>
  /** The condition of a partial index. */
  where?: RawBuilder<unknown>
}

function orderRanges(shopId: string, wanted: Keys): RawBuilder<unknown>[] {
  const newestFirst = sql`, order_placed_at desc, id desc`
  const ranges: (Range & { tieBreak?: RawBuilder<unknown> })[] = [
    { matched: 'order_number', key: sql`order_number`, wanted: wanted.number },
    {
      matched: 'order_number',
      key: sql`bare_number(order_number)`,
      wanted: wanted.number,
      where: sql`order_number <> bare_number(order_number)`,
    },
    {
      matched: 'order_name',
      key: sql`bare_number(order_name)`,
      wanted: wanted.number,
      where: sql`bare_number(order_name) <> bare_number(order_number)`,
    },
    {
      matched: 'email_id',
      key: sql`lower(email_id)`,
      wanted: wanted.email,
      where: sql`email_id is not null`,
      tieBreak: newestFirst,
    },
    {
      matched: 'zip_code',
      key: zipKey(sql`zip_code`),
      wanted: wanted.zip,
      where: sql`zip_code is not null`,
      tieBreak: newestFirst,
    },
    {
      matched: 'customer_name',
      key: sql`name_key`,
      wanted: wanted.name,
      where: sql`name_key is not null`,
      tieBreak: newestFirst,
    },
    {
      matched: 'customer_name',
      key: sql`reversed_name_key`,
      wanted: wanted.name,
      where: sql`reversed_name_key is not null`,
      tieBreak: newestFirst,
    },
  ]
  return ranges.map(
    (range) => sql`
      select ${sql.lit(range.matched)} as matched, id as "orderId", null::uuid as "shipmentId",
        ${range.key} = ${range.wanted} as "isExact", order_placed_at as "placedAt"
      from orders
      where shop_id = ${shopId} and ${beginsWith(range)}
      order by ${range.key} using ~<~ ${range.tieBreak ?? sql``}
      limit ${sql.lit(rowsPerIndex)}`,
  )
}

function shipmentRanges(shopId: string, wanted: Keys): RawBuilder<unknown>[] {
  const ranges: Range[] = [
    {
      matched: 'tracking_number',
      key: sql`tracking_number`,
      wanted: wanted.number,
      where: sql`tracking_number is not null`,
    },
    {
      matched: 'tracking_number',
      key: sql`bare_number(tracking_number)`,
      wanted: wanted.number,
      where: sql`tracking_number <> bare_number(tracking_number)`,
    },
  ]
  return ranges.map(
    (range) => sql`
      select 'tracking_number' as matched, parcel.order_id as "orderId", parcel.id as "shipmentId",
        parcel.is_exact as "isExact", placed.order_placed_at as "placedAt"
      from (
        select id, order_id, ${range.key} = ${range.wanted} as is_exact
        from shipments
        where shop_id = ${shopId} and ${beginsWith(range)}
        order by ${range.key} using ~<~
        limit ${sql.lit(rowsPerIndex)}
      ) as parcel
      cross join lateral (
        select order_placed_at from orders where shop_id = ${shopId} and id = parcel.order_id limit 1
      ) as placed`,
  )
}

/**
 * A range of a text_pattern_ops index, from the key to the last text that begins with it. A pattern of `like` would do for
 * one text, but not in a prepared statement.
 */
function beginsWith({ key, wanted, where = sql`true` }: Range): RawBuilder<unknown> {
  return sql`${where} and ${key} ~>=~ ${wanted} and ${key} ~<~ (${wanted} || ${lastCharacter}) and ${wanted} <> ''`
}

const lastCharacter = sql`chr(1114111)`

/** The matches among the shop's newest orders and parcels. */
async function findAmongNewest(context: ShopContext, wanted: Keys): Promise<Match[]> {
  const kinds: [MatchKind, RawBuilder<unknown>, RawBuilder<string>][] = [
    ['order_number', sql`bare_number(order_number)`, wanted.number],
    ['order_name', sql`bare_number(order_name)`, wanted.number],
    ['email_id', sql`lower(email_id)`, wanted.email],
    ['zip_code', zipKey(sql`zip_code`), wanted.zip],
    ['customer_name', sql`name_key`, wanted.name],
    ['customer_name', sql`reversed_name_key`, wanted.name],
  ]
  const cases = kinds.map(
    ([matched, key, prefix]) => sql`when ${prefix} <> '' and starts_with(${key}, ${prefix}) then ${sql.lit(matched)}`,
  )
  const exact = sql.join(
    kinds.map(([, key, prefix]) => sql`coalesce(${key} = ${prefix}, false)`),
    sql` or `,
  )
  const { rows } = await sql<Match>`
    select * from (
      select case ${sql.join(cases, sql` `)} end as matched, id as "orderId", null::uuid as "shipmentId",
        ${exact} as "isExact", order_placed_at as "placedAt"
      from (
        select id, order_number, order_name, email_id, zip_code, name_key, reversed_name_key, order_placed_at from orders
        where shop_id = ${context.shop.id}
        order by order_placed_at desc, id desc
        limit ${sql.lit(newestRows)}
      ) as newest
    ) as compared
    where matched is not null
    union all
    select 'tracking_number', parcel.order_id, parcel.id, bare_number(parcel.tracking_number) = ${wanted.number},
      placed.order_placed_at
    from (
      select id, order_id, tracking_number from shipments
      where shop_id = ${context.shop.id} and is_draft = false
      order by created_at desc, id desc
      limit ${sql.lit(newestRows)}
    ) as parcel
    cross join lateral (
      select order_placed_at from orders where shop_id = ${context.shop.id} and id = parcel.order_id limit 1
    ) as placed
    where ${wanted.number} <> '' and starts_with(bare_number(parcel.tracking_number), ${wanted.number})`.execute(
    context.db,
  )
  return rows
}
