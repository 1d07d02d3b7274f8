import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { standInFor } from '../../delivery/queue/sealed-address.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import {
  deleteRecord,
  fetchFilteredPage,
  findRecord,
  matchColumns,
  updateRecord,
} from '../../platform/store/shop-records.ts'
import type { EndpointFilter } from './schema.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>

/** False if the shop already has an endpoint with this URL. */
export async function insertEndpoint(context: ShopContext, endpoint: EndpointRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, ...asJson(endpoint) })
    .onConflict((conflict) => conflict.columns(['shop_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Whether the shop has an endpoint with this URL, sealed or not. */
export async function hasEndpointFor(context: ShopContext, url: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhook_endpoints where shop_id = ${context.shop.id} and ${isFor(context, url)}`.execute(context.db)
  return rows.length > 0
}

function isFor(context: ShopContext, url: string): RawBuilder<unknown> {
  return sql`url = any(${[url, standInFor(context, context.shop.id, url)]}::text[])`
}

export function findEndpoint(context: ShopContext, id: string): Promise<EndpointRow | undefined> {
  return findRecord(context, 'webhook_endpoints', id)
}

export function updateEndpoint(
  context: ShopContext,
  id: string,
  changes: Updateable<Tables['webhook_endpoints']>,
): Promise<boolean> {
  return updateRecord(context, 'webhook_endpoints', id, { ...changes, ...asJson(changes) })
}

/** A list would be taken for an array of the database. */
function asJson({ conditions }: { conditions?: unknown }): { conditions?: string } {
  return conditions === undefined || conditions === null ? {} : { conditions: JSON.stringify(conditions) }
}

export function deleteEndpoint(context: ShopContext, id: string): Promise<boolean> {
  return deleteRecord(context, 'webhook_endpoints', id)
}

/** One page of the endpoints that the filter matches, oldest first. */
export function listEndpoints(context: ShopContext, filter: EndpointFilter): Promise<Page<EndpointRow>> {
  const conditions = matchColumns({
    shop_id: context.shop.id,
    id: filter.uuid,
    status: filter.status,
  })
  if (filter.url !== undefined) conditions.push(isFor(context, filter.url))
  const rows = sql`from webhook_endpoints where ${sql.join(conditions, sql` and `)}`
  return fetchFilteredPage(context, { name: `webhooks ${context.shop.id}`, rows, orderBy: sql`id` }, filter)
}
