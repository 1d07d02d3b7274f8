import type { Context } from '../../platform/foundation/context.ts'
import { chooseLanguage, type Language } from '../../platform/foundation/languages.ts'
import { toAnnouncement } from '../announcements/present.ts'
import { toCampaign } from '../campaigns/present.ts'
import type { Campaign } from '../campaigns/schema.ts'
import { toDeal } from '../deals/present.ts'
import { type CompiledOffers, compiledOffers } from './compiled.ts'
import { withRecommendations } from './recommendations.ts'
import { decideOffers, type OfferDecision } from './rules.ts'
import type { Offers } from './schema.ts'
import type { OfferedOrder } from './store.ts'

export interface DecidedOffers {
  compiled: CompiledOffers
  decision: OfferDecision
}

export async function decideFor(context: Context, order: OfferedOrder): Promise<DecidedOffers> {
  const compiled = await compiledOffers(context, order.shop.id, order.version)
  const decision = decideOffers({
    now: context.now,
    segments: order.segments,
    customer: order.customer,
    assignments: order.assignments,
    campaigns: compiled.campaigns,
    tests: compiled.tests,
    deals: compiled.deals,
    announcements: compiled.announcements,
    language: announcedLanguage({ acceptLanguage: context.acceptLanguage, shop: order.shop }, compiled.announcements),
  })
  return { compiled, decision }
}

/** The decision as the API returns it: whole campaigns, deals and announcements, in the reader's language. */
export async function presentOffers(
  context: Context,
  order: OfferedOrder,
  { compiled, decision }: DecidedOffers,
): Promise<Offers> {
  return {
    campaign: await presentCampaign(context, order, { compiled, decision }),
    deals: decision.dealIds.flatMap((id) => {
      const deal = compiled.dealsById.get(id)
      const { slug, name, language } = order.shop
      return deal ? [toDeal(context, { ...deal, shop_slug: slug, shop_name: name, shop_language: language })] : []
    }),
    announcements: decision.announcementIds.flatMap((id) => {
      const announcement = compiled.announcementsById.get(id)
      return announcement ? [toAnnouncement(announcement)] : []
    }),
    reasons: decision.reasons,
  }
}

async function presentCampaign(
  context: Context,
  order: OfferedOrder,
  { compiled, decision }: DecidedOffers,
): Promise<Campaign | null> {
  const stored = compiled.campaignsById.get(decision.campaignId ?? '')
  if (stored === undefined) return null
  const { now, acceptLanguage } = context
  const campaign = toCampaign({ now, acceptLanguage, shop: order.shop }, stored)
  if (!compiled.recommendsProducts || campaign.promotion_type !== 'product') return campaign
  return {
    ...campaign,
    promotion_properties: await withRecommendations(context, order, campaign.promotion_properties),
  }
}

/** The preferred language that has announcements, then the shop's language, then English. */
export function announcedLanguage(
  { acceptLanguage, shop }: Pick<Context, 'acceptLanguage'> & Pick<OfferedOrder, 'shop'>,
  announcements: readonly { language: string }[],
): Language {
  const offered = new Set(announcements.map(({ language }) => language))
  const language = chooseLanguage(acceptLanguage, shop.language, (preferred) => offered.has(preferred))
  return offered.has(language) ? language : 'en'
}
