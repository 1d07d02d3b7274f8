import { toCampaign } from '../../offers/campaigns/present.ts'
import { defaultSegment, propertiesOf } from '../../offers/campaigns/rules.ts'
import type { Campaign } from '../../offers/campaigns/schema.ts'
import { toDeal } from '../../offers/deals/present.ts'
import { toStoredTranslations } from '../../offers/deals/rules.ts'
import type { Deal } from '../../offers/deals/schema.ts'
import { announcedLanguage } from '../../offers/decision/decide.ts'
import { withRecommendations } from '../../offers/decision/recommendations.ts'
import type { Offers } from '../../offers/decision/schema.ts'
import type { DiscountUpdate } from '../../offers/discounts/schema.ts'
import { discountNotFound } from '../../offers/discounts/schema.ts'
import { findDiscount, type StoredDiscount } from '../../offers/discounts/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { getSettings } from '../../shops/settings/store.ts'
import type { CampaignDraft, DealDraft, PagePreview } from './schema.ts'

/** The id of everything that is not saved. */
export const draftId = '00000000-0000-7000-8000-000000000000'

/** Drafts as the page gets them after they were saved, in the language that the context asks for. */
export async function presentDraft(context: ShopContext, draft: PagePreview): Promise<Offers> {
  const deals = []
  for (const [index, deal] of (draft.deals ?? []).entries()) deals.push(await presentDeal(context, deal, index + 1))
  return {
    campaign: draft.campaign ? await presentCampaign(context, draft.campaign) : null,
    deals,
    announcements: presentAnnouncements(context, draft.announcements ?? []),
    reasons: [],
  }
}

async function presentCampaign(context: ShopContext, draft: CampaignDraft): Promise<Campaign> {
  const { now, shop } = context
  const campaign = toCampaign(context, {
    shop_id: shop.id,
    id: draftId,
    name: '',
    segment: defaultSegment,
    promotion_type: draft.promotion_type,
    promotion_properties: propertiesOf(draft.promotion_type, draft.promotion_properties),
    enabled: true,
    start_date: now,
    end_date: null,
    discount_id: draft.discount_id ?? null,
    discount: await discountOf(context, draft),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  })
  if (draft.promotion_type !== 'product') return campaign
  const { productRecommendations } = await getSettings(context, shop.id)
  if (productRecommendations !== true) return campaign
  // A customer who bought nothing that others bought with something.
  const order = { id: draftId, segments: [], productIds: [], customer: '', assignments: {}, version: 0, shop }
  return { ...campaign, promotion_properties: await withRecommendations(context, order, campaign.promotion_properties) }
}

async function presentDeal(context: ShopContext, draft: DealDraft, rank: number): Promise<Deal> {
  const { now, shop } = context
  const discount = await discountOf(context, draft)
  return toDeal(context, {
    shop_id: shop.id,
    id: draftId,
    discount_id: discount?.id ?? draftId,
    brand_image_url: draft.brand_image_url ?? null,
    brand_logo_url: draft.brand_logo_url ?? null,
    cta_url: draft.cta_url ?? null,
    title: draft.title ?? null,
    description: draft.description ?? null,
    rank,
    translations: toStoredTranslations(draft.translations),
    created_at: now,
    updated_at: now,
    discount: discount ?? toStoredDraft({}),
    shop_slug: shop.slug,
    shop_name: shop.name,
    shop_language: shop.language,
  })
}

interface WithDiscount {
  discount_id?: string | null
  discount?: DiscountUpdate | null
}

/** A typed discount comes before a saved one. */
async function discountOf(context: ShopContext, draft: WithDiscount): Promise<StoredDiscount | null> {
  if (draft.discount) return toStoredDraft(draft.discount)
  if (!draft.discount_id) return null
  const saved = await findDiscount(context, draft.discount_id)
  if (saved === undefined) throw discountNotFound(draft.discount_id)
  return saved
}

function toStoredDraft(draft: DiscountUpdate): StoredDiscount {
  return {
    id: draftId,
    code: draft.code || null,
    title: draft.title ?? null,
    value: draft.value ?? null,
    value_type: draft.value_type ?? null,
    target_type: draft.target_type ?? null,
    target_selection: draft.target_selection ?? null,
    type: 'order',
  }
}

function presentAnnouncements(
  context: ShopContext,
  drafts: NonNullable<PagePreview['announcements']>,
): Offers['announcements'] {
  const shown = announcedLanguage(context, drafts)
  const time = context.now.toISOString()
  return drafts
    .filter(({ language }) => language === shown)
    .map(({ text, language }) => ({ uuid: draftId, text, language, created_at: time, updated_at: time }))
}
