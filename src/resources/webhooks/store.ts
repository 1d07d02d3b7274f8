import { type Selectable, sql, type Updateable } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Tables } from '../../database/tables.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { cutPage, offsetOf, type Page, pageRequest } from '../../foundation/page.ts'
import type { EndpointFilter } from './schema.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>

/** False where the shop has an endpoint with this address. */
export async function insertEndpoint(context: ShopContext, endpoint: EndpointRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('webhook_endpoints')
    .values(endpoint)
    .onConflict((conflict) => conflict.columns(['shop_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findEndpoint(context: ShopContext, id: string): Promise<EndpointRow | undefined> {
  return context.db
    .selectFrom('webhook_endpoints')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst()
}

export async function updateEndpoint(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['webhook_endpoints']>,
): Promise<boolean> {
  const updated = await context.db
    .updateTable('webhook_endpoints')
    .set(changes)
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function deleteEndpoint(context: ShopContext, id: string): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('webhook_endpoints')
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function listEndpoints(context: ShopContext, filter: EndpointFilter): Promise<Page<EndpointRow>> {
  const conditions = [
    sql`shop_id = ${context.shop.id}`,
    ...(filter.uuid === undefined ? [] : [sql`id = ${filter.uuid}`]),
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.url === undefined ? [] : [sql`url = ${filter.url}`]),
  ]
  const rest = sql`from webhook_endpoints where ${sql.join(conditions, sql` and `)}`
  const request = pageRequest(filter)
  const { rows } = await sql<EndpointRow>`
    select * ${rest} order by id limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  const { page: _page, per_page: _perPage, ...given } = filter
  return cutPage(request, rows, () => countUpTo(context, `webhooks ${context.shop.id} ${JSON.stringify(given)}`, rest))
}
