import { type CampaignView, toCampaign } from '../campaigns/present.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { testStatusOf } from './rules.ts'
import type { AbTest } from './schema.ts'
import type { StoredTest } from './store.ts'

export function toTest(view: CampaignView, test: StoredTest, campaigns: ReadonlyMap<string, StoredCampaign>): AbTest {
  return {
    uuid: test.id,
    shop_slug: view.shop.slug,
    name: test.name,
    segment: test.segment,
    campaign_type: test.campaign_type,
    status: testStatusOf({ start: test.start_date, end: test.end_date }, test.ended_at, view.now),
    campaigns: test.variants.flatMap(({ campaignId, allocation }) => {
      const campaign = campaigns.get(campaignId)
      return campaign ? [{ campaign_id: campaignId, allocation, ...toCampaign(view, campaign) }] : []
    }),
    has_holdout: test.has_holdout,
    holdout_percentage: test.holdout_percentage,
    start_date: test.start_date.toISOString(),
    end_date: test.end_date?.toISOString() ?? null,
    ended_at: test.ended_at?.toISOString() ?? null,
    created_at: test.created_at.toISOString(),
    updated_at: test.updated_at.toISOString(),
  }
}
