import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../platform/foundation/context.ts'
import type { Page, PageRequest } from '../platform/foundation/page.ts'
import type { Tables } from '../platform/foundation/tables.ts'
import { fetchPage, findRecord } from '../platform/store/shop-records.ts'

export type AutomationRow = Selectable<Tables['automations']>

/** Returns false if the shop already has an automation with this name. */
export async function insertAutomation(context: ShopContext, automation: AutomationRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('automations')
    .values({ ...automation, ...asJson(automation) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return false
  await replaceFilters(context, automation)
  return true
}

/** An automation that is not deleted. */
export async function findAutomation(context: ShopContext, id: string): Promise<AutomationRow | undefined> {
  return selectAutomation(context, id).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function lockAutomation(context: ShopContext, id: string): Promise<AutomationRow | undefined> {
  return selectAutomation(context, id).forNoKeyUpdate().executeTakeFirst()
}

function selectAutomation(context: ShopContext, id: string) {
  return context.db
    .selectFrom('automations')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
}

/** Violates the unique index `automations_name` if another automation has the name. */
export async function updateAutomation(context: ShopContext, automation: AutomationRow): Promise<void> {
  const { shop_id, id, ...columns } = automation
  await context.db
    .updateTable('automations')
    .set({ ...columns, ...asJson(automation) })
    .where('shop_id', '=', shop_id)
    .where('id', '=', id)
    .execute()
  await replaceFilters(context, automation)
}

/** Includes deleted automations, because their runs stay readable. */
export async function isKnownAutomation(context: ShopContext, id: string): Promise<boolean> {
  return (await findRecord(context, 'automations', id)) !== undefined
}

/** One page of a shop's automations, oldest first. */
export function listAutomations(context: ShopContext, request: PageRequest): Promise<Page<AutomationRow>> {
  const rows = sql`from automations where shop_id = ${context.shop.id} and deleted_at is null`
  return fetchPage(context, { name: `automations ${context.shop.id}`, rows, orderBy: sql`id` }, request)
}

/** Automations of a shop that are enabled and not deleted, oldest first. */
export async function enabledAutomations(context: Context, shopId: string): Promise<AutomationRow[]> {
  return context.db
    .selectFrom('automations')
    .where('shop_id', '=', shopId)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .selectAll()
    .execute()
}

function asJson({ conditions, actions }: AutomationRow) {
  return { conditions: JSON.stringify(conditions), actions: JSON.stringify(actions) }
}

/** Rewrites the index of event filters. A disabled or deleted automation has none. */
async function replaceFilters(context: ShopContext, automation: AutomationRow): Promise<void> {
  const { shop_id, id, enabled, deleted_at, trigger_events } = automation
  await context.db
    .deleteFrom('automation_filters')
    .where('shop_id', '=', shop_id)
    .where('automation_id', '=', id)
    .execute()
  if (!enabled || deleted_at !== null) return
  const filters = [...new Set(trigger_events)]
  await context.db
    .insertInto('automation_filters')
    .values(filters.map((filter) => ({ shop_id, filter, automation_id: id })))
    .execute()
}
