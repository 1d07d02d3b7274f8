import { type Selectable, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { type Page, type Paging, pageRequest } from '../../platform/foundation/page.ts'
import type { Static } from '../../platform/foundation/schema.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { deleteRecord, fetchPage } from '../../platform/store/shop-records.ts'

export type RegistrationRow = Selectable<Tables['shopify_registrations']>

/** A registration is found by its id or by its type. */
export type RegistrationName = { column: 'id' | 'webhook_type'; value: string }

/** False if the shop already has one of this type. */
export async function insertRegistration(context: ShopContext, row: RegistrationRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('shopify_registrations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['shop_id', 'webhook_type']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findRegistration(
  context: ShopContext,
  name: RegistrationName,
): Promise<RegistrationRow | undefined> {
  return context.db
    .selectFrom('shopify_registrations')
    .where('shop_id', '=', context.shop.id)
    .where(name.column, '=', name.value)
    .selectAll()
    .executeTakeFirst()
}

/** One page of a shop's registrations, oldest first. */
export function listRegistrations(context: ShopContext, query: Static<typeof Paging>): Promise<Page<RegistrationRow>> {
  const rows = sql`from shopify_registrations where shop_id = ${context.shop.id}`
  const name = `registrations ${context.shop.id}`
  return fetchPage(context, { name, rows, orderBy: sql`id` }, pageRequest(query))
}

export async function updateRegistration(
  context: ShopContext,
  id: string,
  changes: Pick<RegistrationRow, 'shopify_id' | 'hook_url'>,
): Promise<void> {
  await context.db
    .updateTable('shopify_registrations')
    .set({ ...changes, updated_at: context.now })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .execute()
}

export async function deleteRegistration(context: ShopContext, id: string): Promise<void> {
  await deleteRecord(context, 'shopify_registrations', id)
}

/** The topics that the shop has registered, oldest first. */
export async function listTopics(context: ShopContext): Promise<string[]> {
  return (await listRegistered(context)).map(({ topic }) => topic)
}

/** The same, with when each was registered. */
export async function listRegistered(
  context: ShopContext,
): Promise<Pick<RegistrationRow, 'id' | 'topic' | 'webhook_type' | 'created_at'>[]> {
  return context.db
    .selectFrom('shopify_registrations')
    .where('shop_id', '=', context.shop.id)
    .orderBy('id')
    .select(['id', 'topic', 'webhook_type', 'created_at'])
    .execute()
}
