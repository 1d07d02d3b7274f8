import { defineCache } from '../../platform/foundation/caches.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { getSettings, type SettingsRecord } from '../../shops/settings/store.ts'
import { loadTests } from '../ab-tests/store.ts'
import { type AnnouncementRow, loadAnnouncements } from '../announcements/store.ts'
import { loadCampaigns, type StoredCampaign } from '../campaigns/store.ts'
import { listDeals, type StoredDeal } from '../deals/store.ts'
import type { OfferInput } from './rules.ts'

/** The offers of a shop, prepared for decisions. */
export interface CompiledOffers extends Pick<OfferInput, 'campaigns' | 'tests' | 'deals' | 'announcements'> {
  campaignsById: ReadonlyMap<string, StoredCampaign>
  dealsById: ReadonlyMap<string, StoredDeal>
  announcementsById: ReadonlyMap<string, AnnouncementRow>
  recommendsProducts: boolean
  /** The shop's colours, in which offers are shown everywhere. */
  palette: SettingsRecord['palette']
}

/** A page never shows more than this. */
const maxDeals = 100

/** By shop. A promise, so that requests for one version share one compilation. */
const offersCache = defineCache<{ version: number; offers: Promise<CompiledOffers> }>({
  name: 'compiled offers',
  maxEntries: 1_000,
})

/**
 * The offers of a shop at the version that was just read from the store. They are cached by version, so no node can miss
 * a change and nothing expires.
 */
export async function compiledOffers(context: Context, shopId: string, version: number): Promise<CompiledOffers> {
  // Uncommitted changes of the caller's transaction must not be cached.
  if (context.afterCommit) return compile(context, shopId)
  const cache = context.services.caches.open(offersCache)
  const known = cache.get(shopId)
  if (known?.version === version) return known.offers
  const offers = compile(context, shopId)
  cache.set(shopId, { version, offers })
  offers.catch(() => cache.delete(shopId))
  return offers
}

/** Reads after the version was read. A change in between is cached under the older version, and read again with the next. */
async function compile(context: Context, shopId: string): Promise<CompiledOffers> {
  const campaigns = await loadCampaigns(context, shopId)
  const tests = await loadTests(context, shopId)
  const { items: deals } = await listDeals(context, shopId, { page: 1, perPage: maxDeals })
  const announcements = await loadAnnouncements(context, shopId)
  const { productRecommendations, palette } = await getSettings(context, shopId)
  return {
    campaigns: campaigns.map((campaign) => ({
      id: campaign.id,
      name: campaign.name,
      segment: campaign.segment,
      type: campaign.promotion_type,
      isEnabled: campaign.enabled,
      startsAt: campaign.start_date.getTime(),
      endsAt: campaign.end_date?.getTime() ?? Number.POSITIVE_INFINITY,
    })),
    tests: tests.map((test) => ({
      id: test.id,
      name: test.name,
      segment: test.segment,
      type: test.campaign_type,
      start: test.start_date,
      end: test.end_date,
      endedAt: test.ended_at,
      holdoutPercentage: test.holdout_percentage ?? 0,
      variants: test.variants,
    })),
    deals: deals.map((deal) => ({ id: deal.id, name: deal.title ?? '' })),
    announcements: announcements.map(({ id, text, language }) => ({ id, name: text, language })),
    campaignsById: byId(campaigns),
    dealsById: byId(deals),
    announcementsById: byId(announcements),
    recommendsProducts: productRecommendations === true,
    palette,
  }
}

function byId<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
