import { type Selectable, sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { type Page, pageRequest } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchPage } from '../../platform/store/shop-records.ts'
import type { ViewFilter } from './schema.ts'

export type ViewRow = Selectable<Tables['saved_views']>

/** The owner of views that everybody in the shop sees. */
export const everybody = ''

/** The views of these owners by name; of two with the same name, the private one first. */
export function listViews(context: ShopContext, owners: string[], filter: ViewFilter): Promise<Page<ViewRow>> {
  const ofScreen = filter.screen === undefined ? sql`` : sql`and screen = ${filter.screen}`
  return fetchPage(
    context,
    {
      name: `views ${context.shop.id} ${owners} ${filter.screen}`,
      rows: sql`from saved_views where shop_id = ${context.shop.id} and owner = any(${owners}::text[]) ${ofScreen}`,
      orderBy: sql`lower(name), name, screen, owner desc`,
    },
    pageRequest(filter),
  )
}

export async function findView(
  context: ShopContext,
  { owner, screen, name }: Pick<ViewRow, 'owner' | 'screen' | 'name'>,
): Promise<ViewRow | undefined> {
  return context.db
    .selectFrom('saved_views')
    .where('shop_id', '=', context.shop.id)
    .where('owner', '=', owner)
    .where('screen', '=', screen)
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst()
}

/** Saves a view and returns it; undefined if its owner already has as many as allowed. */
export async function putView(context: ShopContext, view: ViewRow, limit: number): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`
    insert into saved_views (shop_id, owner, screen, name, query, author, created_at, updated_at)
    select ${view.shop_id}, ${view.owner}, ${view.screen}, ${view.name}, ${view.query}, ${view.author},
      ${view.created_at}::timestamptz, ${view.updated_at}::timestamptz
    where (
      select count(*) from saved_views
      where shop_id = ${view.shop_id} and owner = ${view.owner} and (screen, name) <> (${view.screen}, ${view.name})
    ) < ${sql.lit(limit)}
    on conflict (shop_id, owner, screen, name) do update set
      query = excluded.query, author = excluded.author, updated_at = excluded.updated_at
    returning *`.execute(context.db)
  return rows[0]
}

/** False if there is none. */
export async function deleteView(
  context: ShopContext,
  view: Pick<ViewRow, 'owner' | 'screen' | 'name'>,
): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('saved_views')
    .where('shop_id', '=', context.shop.id)
    .where('owner', '=', view.owner)
    .where('screen', '=', view.screen)
    .where('name', '=', view.name)
    .returning('name')
    .executeTakeFirst()
  return deleted !== undefined
}
