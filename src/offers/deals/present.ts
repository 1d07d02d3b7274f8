import type { Context } from '../../platform/foundation/context.ts'
import { toDiscount } from '../discounts/present.ts'
import { localize } from './rules.ts'
import type { Deal } from './schema.ts'
import type { StoredDeal } from './store.ts'

export function toDeal(context: Pick<Context, 'acceptLanguage'>, deal: StoredDeal): Deal {
  return {
    uuid: deal.id,
    shop_slug: deal.shop_slug,
    shop_name: deal.shop_name,
    discount_id: deal.discount_id,
    brand_image_url: deal.brand_image_url,
    brand_logo_url: deal.brand_logo_url,
    cta_url: deal.cta_url,
    ...localize(deal, context.acceptLanguage, deal.shop_language),
    rank: deal.rank,
    discount: toDiscount(deal.shop_slug, deal.discount),
    translations: deal.translations,
  }
}
