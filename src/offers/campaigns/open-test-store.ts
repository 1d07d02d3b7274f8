import { sql } from 'kysely'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** A test that compares this campaign and is not over. */
export async function findOpenTestOf(context: ShopContext, campaignId: string): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select ab_tests.name from ab_test_campaigns
    join ab_tests on ab_tests.shop_id = ab_test_campaigns.shop_id and ab_tests.id = ab_test_campaigns.test_id
    where ab_test_campaigns.shop_id = ${context.shop.id} and ab_test_campaigns.campaign_id = ${campaignId}
      and ab_tests.ended_at is null and (ab_tests.end_date is null or ab_tests.end_date > ${context.now})
    limit 1`.execute(context.db)
  return rows[0]
}
