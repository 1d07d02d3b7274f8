import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { CampaignName } from './campaign-figures.ts'

/** The campaigns with these ids, including deleted ones, and those with these names that are not deleted. */
export async function findCampaignNames(context: ShopContext, ids: string[], names: string[]): Promise<CampaignName[]> {
  if (ids.length === 0 && names.length === 0) return []
  const { rows } = await sql<CampaignName>`
    select id, name from campaigns where shop_id = ${context.shop.id} and id = any(${ids}::uuid[])
    union
    select id, name from campaigns
    where shop_id = ${context.shop.id} and name = any(${names}::text[]) and deleted_at is null
    order by id desc`.execute(context.db)
  return rows
}

/** The ids of the shop's webhook endpoints, as deliveries name them. */
export async function listEndpointIds(context: ShopContext): Promise<string[]> {
  const rows = await context.db
    .selectFrom('webhook_endpoints')
    .where('shop_id', '=', context.shop.id)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
