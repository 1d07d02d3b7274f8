import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page } from '../../platform/foundation/page.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import {
  containsText,
  fetchFilteredPage,
  matchColumns,
  orderFor,
  updateRecord,
} from '../../platform/store/shop-records.ts'
import { discountAsJson, type StoredDiscount } from '../discounts/store.ts'
import type { CampaignFilter, CampaignStatus } from './schema.ts'

export type CampaignRow = Selectable<Tables['campaigns']>

export interface StoredCampaign extends CampaignRow {
  discount: StoredDiscount | null
}

const withDiscount = sql`
  campaigns left join discounts
    on discounts.shop_id = campaigns.shop_id and discounts.id = campaigns.discount_id`

/** False if the shop already has a campaign of this name. */
export async function insertCampaign(context: ShopContext, campaign: CampaignRow): Promise<boolean> {
  const inserted = await context.db
    .insertInto('campaigns')
    .values({ ...campaign, promotion_properties: JSON.stringify(campaign.promotion_properties) })
    .onConflict((conflict) => conflict.columns(['shop_id', 'name']).where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findCampaign(context: ShopContext, id: string): Promise<StoredCampaign | undefined> {
  const { rows } = await sql<StoredCampaign>`
    select campaigns.*, ${discountAsJson} as discount from ${withDiscount}
    where campaigns.shop_id = ${context.shop.id} and campaigns.id = ${id} and deleted_at is null`.execute(context.db)
  return rows[0]
}

/** These campaigns, including deleted ones: a test continues to show what it compared. */
export async function findCampaigns(context: ShopContext, ids: string[]): Promise<Map<string, StoredCampaign>> {
  const { rows } = await sql<StoredCampaign>`
    select campaigns.*, ${discountAsJson} as discount from ${withDiscount}
    where campaigns.shop_id = ${context.shop.id} and campaigns.id = any(${ids}::uuid[])`.execute(context.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** All campaigns of a shop, for deciding what its customers are shown. */
export async function loadCampaigns(context: Context, shopId: string): Promise<StoredCampaign[]> {
  const { rows } = await sql<StoredCampaign>`
    select campaigns.*, ${discountAsJson} as discount from ${withDiscount}
    where campaigns.shop_id = ${shopId} and deleted_at is null
    order by campaigns.id`.execute(context.db)
  return rows
}

/** Fails as a duplicate of `campaigns_name` if another campaign has the name. */
export async function updateCampaign(
  context: ShopContext,
  id: string,
  { promotion_properties, ...columns }: Updateable<Tables['campaigns']>,
): Promise<void> {
  await updateRecord(context, 'campaigns', id, {
    ...columns,
    ...(promotion_properties === undefined ? {} : { promotion_properties: JSON.stringify(promotion_properties) }),
  })
}

/** False if there is none. Its discount is removed from it, so that the discount can be deleted, too. */
export async function deleteCampaign(context: ShopContext, id: string): Promise<boolean> {
  const deleted = await context.db
    .updateTable('campaigns')
    .set({ deleted_at: context.now, discount_id: null })
    .where('shop_id', '=', context.shop.id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Another enabled campaign of the same segment and type whose period overlaps with this one's. */
export async function findRival(
  context: ShopContext,
  campaign: Pick<CampaignRow, 'id' | 'segment' | 'promotion_type' | 'start_date' | 'end_date'>,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from campaigns
    where shop_id = ${context.shop.id} and segment = ${campaign.segment} and promotion_type = ${campaign.promotion_type}
      and enabled and deleted_at is null and id <> ${campaign.id}
      and start_date < coalesce(${campaign.end_date}::timestamptz, 'infinity')
      and coalesce(end_date, 'infinity') > ${campaign.start_date}
    order by start_date limit 1`.execute(context.db)
  return rows[0]
}

const sortColumns = {
  id: sql`campaigns.id`,
  name: sql`lower(campaigns.name)`,
  start_date: sql`campaigns.start_date`,
  end_date: sql`campaigns.end_date`,
}

/** One page of the campaigns that the filter matches, newest first unless it says otherwise. */
export function listCampaigns(context: ShopContext, filter: CampaignFilter): Promise<Page<StoredCampaign>> {
  const conditions = [
    sql`campaigns.deleted_at is null`,
    ...matchColumns({
      'campaigns.shop_id': context.shop.id,
      'campaigns.name': filter.name,
      'campaigns.segment': filter.segment,
      'campaigns.promotion_type': filter.promotion_type,
      'campaigns.enabled': filter.enabled,
    }),
    ...(filter.q === undefined ? [] : [containsText(['campaigns.name', 'campaigns.segment'], filter.q)]),
    ...(filter.status === undefined ? [] : [hasStatus(filter.status, context.now)]),
  ]
  const query = {
    name: `campaigns ${context.shop.id}`,
    columns: sql`campaigns.*, ${discountAsJson} as discount`,
    rows: sql`from ${withDiscount} where ${sql.join(conditions, sql` and `)}`,
    orderBy: filter.sort === undefined ? sql`campaigns.id desc` : orderFor(filter.sort, sortColumns),
  }
  return fetchFilteredPage(context, query, filter)
}

/** The same as `statusOf` says of one campaign. */
function hasStatus(status: CampaignStatus, now: Date): RawBuilder<unknown> {
  switch (status) {
    case 'inactive':
      return sql`not campaigns.enabled`
    case 'scheduled':
      return sql`campaigns.enabled and campaigns.start_date > ${now}`
    case 'active':
      return sql`campaigns.enabled and campaigns.start_date <= ${now}
        and (campaigns.end_date is null or campaigns.end_date > ${now})`
    case 'completed':
      return sql`campaigns.enabled and campaigns.start_date <= ${now} and campaigns.end_date <= ${now}`
  }
}
