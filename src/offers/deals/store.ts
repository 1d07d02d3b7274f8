import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import type { Page, PageRequest } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import {
  containsText,
  fetchFilteredPage,
  fetchPage,
  matchColumns,
  updateRecord,
} from '../../platform/store/shop-records.ts'
import { lockShop } from '../../shops/shops/store.ts'
import { discountAsJson, type StoredDiscount } from '../discounts/store.ts'
import type { DealFilter, Translation } from './schema.ts'

export type DealRow = Selectable<Tables['deals']>

/** A deal with its discount and the shop's fields that are shown. */
export interface StoredDeal extends Omit<DealRow, 'translations'> {
  translations: Translation[]
  discount: StoredDiscount
  shop_slug: string
  shop_name: string
  shop_language: Language
}

const withItsParts = sql`
  from deals
  join shops on shops.id = deals.shop_id
  join discounts on discounts.shop_id = deals.shop_id and discounts.id = deals.discount_id`

const columns = sql`
  deals.*, ${discountAsJson} as discount,
  shops.slug as shop_slug, shops.name as shop_name, shops.language as shop_language`

export async function findDeal(context: ShopContext, id: string): Promise<StoredDeal | undefined> {
  const { rows } = await sql<StoredDeal>`
    select ${columns} ${withItsParts}
    where deals.shop_id = ${context.shop.id} and deals.id = ${id}`.execute(context.db)
  return rows[0]
}

/** One page of a shop's deals by rank. */
export function listDeals(context: Context, shopId: string, request: PageRequest): Promise<Page<StoredDeal>> {
  return listWhere(context, request, sql`deals.shop_id = ${shopId}`, shopId)
}

/** One page of the shop's deals that the filter matches, by rank. */
export function searchDeals(context: ShopContext, filter: DealFilter): Promise<Page<StoredDeal>> {
  const conditions = [
    ...matchColumns({
      'deals.shop_id': context.shop.id,
      'deals.id': filter.uuid,
      'deals.discount_id': filter.discount_id,
    }),
    ...(filter.q === undefined ? [] : [containsText(['deals.title', 'discounts.title', 'discounts.code'], filter.q)]),
  ]
  const rows = sql`${withItsParts} where ${sql.join(conditions, sql` and `)}`
  const query = { name: `deals ${context.shop.id}`, columns, rows, orderBy: sql`deals.rank` }
  return fetchFilteredPage(context, query, filter)
}

/** One page of the deals of these shops, by shop and rank. */
export function listDealsOf(
  context: Context,
  visible: readonly string[] | 'all',
  request: PageRequest,
): Promise<Page<StoredDeal>> {
  const condition = visible === 'all' ? sql`true` : sql`deals.shop_id = any(${visible}::uuid[])`
  return listWhere(context, request, condition, visible === 'all' ? 'all' : visible.join())
}

function listWhere(
  context: Context,
  request: PageRequest,
  condition: RawBuilder<unknown>,
  name: string,
): Promise<Page<StoredDeal>> {
  const rows = sql`${withItsParts} where shops.deleted_at is null and ${condition}`
  const orderBy = sql`deals.shop_id, deals.rank`
  return fetchPage(context, { name: `deals ${name}`, columns, rows, orderBy }, request)
}

/** Appends a deal. Ranks are assigned under the shop's lock, so that they are unique. */
export async function insertDeal(context: ShopContext, deal: Omit<DealRow, 'rank'>): Promise<void> {
  await lockShop(context, context.shop.id)
  const rank = sql<number>`(select coalesce(max(rank), 0) + 1 from deals where shop_id = ${context.shop.id})`
  await context.db
    .insertInto('deals')
    .values({ ...deal, rank })
    .execute()
}

/** False if there is none. */
export function updateDeal(context: ShopContext, id: string, changes: Updateable<Tables['deals']>): Promise<boolean> {
  return updateRecord(context, 'deals', id, changes)
}

/** Moves a deal and those between its ranks. False if there is none. */
export async function moveDeal(context: ShopContext, id: string, rank: number): Promise<boolean> {
  await lockShop(context, context.shop.id)
  const { rows } = await sql<{ id: string }>`
    with place as (
      select moved.rank as old, least(${rank}::int, (select max(rank) from deals where shop_id = moved.shop_id)) as new
      from deals as moved where moved.shop_id = ${context.shop.id} and moved.id = ${id}
    )
    update deals set rank = case
        when deals.id = ${id} then place.new
        when place.old < place.new then deals.rank - 1
        else deals.rank + 1
      end
    from place
    where deals.shop_id = ${context.shop.id}
      and deals.rank between least(place.old, place.new) and greatest(place.old, place.new)
    returning deals.id`.execute(context.db)
  return rows.length > 0
}

/** Deletes a deal and closes the gap in the ranks. False if there is none. */
export async function deleteDeal(context: ShopContext, id: string): Promise<boolean> {
  await lockShop(context, context.shop.id)
  const deleted = await context.db
    .deleteFrom('deals')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('rank')
    .executeTakeFirst()
  if (deleted === undefined) return false
  await context.db
    .updateTable('deals')
    .set({ rank: sql`rank - 1` })
    .where('shop_id', '=', context.shop.id)
    .where('rank', '>', deleted.rank)
    .execute()
  return true
}
