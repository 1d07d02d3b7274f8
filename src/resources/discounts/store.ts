import { type Selectable, sql, type Updateable } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Tables } from '../../database/tables.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { cutPage, offsetOf, type Page, pageRequest } from '../../foundation/page.ts'
import type { DiscountFilter } from './schema.ts'

export type DiscountRow = Selectable<Tables['discounts']>

/** What is shown of a discount: all of it that another area needs to select beside its own rows. */
export type StoredDiscount = Omit<DiscountRow, 'shop_id' | 'created_at' | 'updated_at'>

/** A discount as JSON, for a query that joins `discounts`; null where an outer join found none. */
export const discountAsJson = sql<StoredDiscount>`
  case when discounts.id is not null then json_build_object(
    'id', discounts.id, 'code', discounts.code, 'target_selection', discounts.target_selection,
    'target_type', discounts.target_type, 'title', discounts.title, 'value_type', discounts.value_type,
    'value', discounts.value, 'type', discounts.type
  ) end`

/** False where the shop has a discount with this code. */
export async function insertDiscount(context: ShopContext, discount: DiscountRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('discounts')
    .values(discount)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findDiscount(context: ShopContext, id: string): Promise<DiscountRow | undefined> {
  return context.db
    .selectFrom('discounts')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst()
}

/** The same, and nobody deletes it before this transaction ends: for what is about to refer to it. */
export async function holdDiscount(context: ShopContext, id: string): Promise<DiscountRow | undefined> {
  return context.db
    .selectFrom('discounts')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .selectAll()
    .forKeyShare()
    .executeTakeFirst()
}

/** False where there is none. Fails as a duplicate of `discounts_code` where another one has the code. */
export async function updateDiscount(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['discounts']>,
): Promise<boolean> {
  const updated = await context.db
    .updateTable('discounts')
    .set(changes)
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** False where there is none. Fails as still referenced where a deal or a campaign uses it. */
export async function deleteDiscount(context: ShopContext, id: string): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('discounts')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** One page of the discounts that the filter matches, oldest first. */
export async function listDiscounts(context: ShopContext, filter: DiscountFilter): Promise<Page<DiscountRow>> {
  const conditions = [
    sql`shop_id = ${context.shop.id}`,
    ...(filter.uuid === undefined ? [] : [sql`id = ${filter.uuid}`]),
    ...(filter.code === undefined ? [] : [sql`lower(code) = lower(${filter.code})`]),
    ...(filter.target_selection === undefined ? [] : [sql`target_selection = ${filter.target_selection}`]),
    ...(filter.target_type === undefined ? [] : [sql`target_type = ${filter.target_type}`]),
    ...(filter.title === undefined ? [] : [sql`title = ${filter.title}`]),
    ...(filter.value_type === undefined ? [] : [sql`value_type = ${filter.value_type}`]),
    ...(filter.value === undefined ? [] : [sql`value = ${filter.value}`]),
    ...(filter.type === undefined ? [] : [sql`type = ${filter.type}`]),
  ]
  const rest = sql`from discounts where ${sql.join(conditions, sql` and `)}`
  const request = pageRequest(filter)
  const { rows } = await sql<DiscountRow>`
    select * ${rest} order by id limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  return cutPage(request, rows, () => countUpTo(context, `discounts ${context.shop.id} ${JSON.stringify(given)}`, rest))
}
