import { type Selectable, sql, type Updateable } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import {
  containsText,
  deleteRecord,
  fetchFilteredPage,
  findRecord,
  matchColumns,
  orderFor,
  updateRecord,
} from '../../platform/store/shop-records.ts'
import type { DiscountFilter } from './schema.ts'

export type DiscountRow = Selectable<Tables['discounts']>

/** The fields of a discount that other areas select with their own rows. */
export type StoredDiscount = Omit<DiscountRow, 'shop_id' | 'created_at' | 'updated_at'>

/** A discount as JSON, for queries that join `discounts`; null if an outer join found none. */
export const discountAsJson = sql<StoredDiscount>`
  case when discounts.id is not null then json_build_object(
    'id', discounts.id, 'code', discounts.code, 'target_selection', discounts.target_selection,
    'target_type', discounts.target_type, 'title', discounts.title, 'value_type', discounts.value_type,
    'value', discounts.value, 'type', discounts.type
  ) end`

/** False if the shop already has a discount with this code. */
export async function insertDiscount(context: ShopContext, discount: DiscountRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('discounts')
    .values(discount)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export function findDiscount(context: ShopContext, id: string): Promise<DiscountRow | undefined> {
  return findRecord(context, 'discounts', id)
}

/** Finds a discount and prevents its deletion until the transaction ends, for rows that will refer to it. */
export async function lockDiscount(context: ShopContext, id: string): Promise<DiscountRow | undefined> {
  return context.db
    .selectFrom('discounts')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .selectAll()
    .forKeyShare()
    .executeTakeFirst()
}

/** False if there is none. Fails as a duplicate of `discounts_code` if another discount has the code. */
export function updateDiscount(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['discounts']>,
): Promise<boolean> {
  return updateRecord(context, 'discounts', id, changes)
}

/** False if there is none. Fails as still referenced if a deal or a campaign uses it. */
export function deleteDiscount(context: ShopContext, id: string): Promise<boolean> {
  return deleteRecord(context, 'discounts', id)
}

// Ids are in the order of creation.
const sortColumns = {
  id: sql`id`,
  code: sql`lower(code)`,
  title: sql`lower(title)`,
  value: sql`value`,
  created_at: sql`id`,
}

/** One page of the discounts that the filter matches, oldest first unless it says otherwise. */
export function listDiscounts(context: ShopContext, filter: DiscountFilter): Promise<Page<DiscountRow>> {
  const conditions = [
    sql`shop_id = ${context.shop.id}`,
    ...(filter.code === undefined ? [] : [sql`lower(code) = lower(${filter.code})`]),
    ...(filter.q === undefined ? [] : [containsText(['code', 'title'], filter.q)]),
    ...matchColumns({
      id: filter.uuid,
      target_selection: filter.target_selection,
      target_type: filter.target_type,
      title: filter.title,
      value_type: filter.value_type,
      value: filter.value,
      type: filter.type,
    }),
  ]
  const rows = sql`from discounts where ${sql.join(conditions, sql` and `)}`
  const orderBy = orderFor(filter.sort ?? 'id', sortColumns)
  return fetchFilteredPage(context, { name: `discounts ${context.shop.id}`, rows, orderBy }, filter)
}
