import { toDiscount } from '../discounts/present.ts'
import { localize, type Reader, statusOf } from './rules.ts'
import type { Campaign, PromotionType } from './schema.ts'
import type { StoredCampaign } from './store.ts'

/** The shop, the time and the language that a campaign is shown for. */
export interface CampaignView extends Reader {
  now: Date
  shop: Reader['shop'] & { slug: string }
}

export function toCampaign(view: CampaignView, stored: StoredCampaign): Campaign {
  const type = stored.promotion_type as PromotionType // only these are ever stored
  return {
    uuid: stored.id,
    shop_slug: view.shop.slug,
    name: stored.name,
    segment: stored.segment,
    promotion_type: type,
    promotion_properties: localize(type, stored.promotion_properties, view),
    enabled: stored.enabled,
    status: statusOf({ start: stored.start_date, end: stored.end_date }, stored.enabled, view.now),
    start_date: stored.start_date.toISOString(),
    end_date: stored.end_date?.toISOString() ?? null,
    discount: stored.discount && toDiscount(view.shop.slug, stored.discount),
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  }
}
