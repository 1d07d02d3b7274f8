import { createAbTest } from '../../offers/ab-tests/operations.ts'
import { createCampaign } from '../../offers/campaigns/operations.ts'
import type { CampaignWrite } from '../../offers/campaigns/schema.ts'
import { listCampaigns } from '../../offers/campaigns/store.ts'
import { decideFor } from '../../offers/decision/decide.ts'
import { recordClick, recordExposure } from '../../offers/decision/operations.ts'
import { findOfferedOrder } from '../../offers/decision/store.ts'
import { listDiscounts } from '../../offers/discounts/store.ts'
import { listOrders } from '../../orders/orders/search-store.ts'
import { pageToken } from '../../orders/page-addresses/page-token.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { perform } from './perform.ts'
import { shopUrl } from './shop.ts'

/** The campaigns that the A/B test compares; demo orders name the first as their source. */
const compared = ['warm-socks', 'ten-percent']
const testedDaysAgo = 14
/** The number of customers in the test: enough to show a result, and quick to create. */
const viewers = 16

const campaigns: readonly (CampaignWrite & { code?: string })[] = [
  {
    name: 'warm-socks',
    segment: 'default',
    promotion_type: 'basic',
    code: 'WARMFEET',
    promotion_properties: {
      title: 'Warm feet all winter',
      subtitle: 'Our Larch wool socks, 5 € off for you',
      cta_label: 'To the socks',
      cta_url: `${shopUrl}/products/larch`,
      discount_code: 'WARMFEET',
      translations: [
        words('de', 'Warme Füße den ganzen Winter', 'Zu den Socken', 'Unsere Wollsocken Larch, für Sie 5 € günstiger'),
        words('fr', 'Les pieds au chaud tout l’hiver', 'Voir les chaussettes', 'Nos chaussettes Larch, 5 € de moins'),
      ],
    },
  },
  {
    name: 'ten-percent',
    segment: 'default',
    promotion_type: 'basic',
    code: 'WELCOME10',
    promotion_properties: {
      title: 'A tenth off your next order',
      subtitle: 'Because you are waiting for this one',
      cta_label: 'To the shop',
      cta_url: shopUrl,
      discount_code: 'WELCOME10',
      translations: [
        words('de', 'Ein Zehntel auf die nächste Bestellung', 'Zum Shop', 'Weil Sie auf diese gerade warten'),
        words('fr', 'Un dixième de moins la prochaine fois', 'À la boutique', 'Parce que vous attendez celle-ci'),
      ],
    },
  },
  {
    name: 'New this season',
    segment: 'newsletter',
    promotion_type: 'product',
    enabled: true,
    promotion_properties: {
      title: 'New this season',
      cta_label: 'See all',
      cta_url: `${shopUrl}/collections/new`,
      products: [
        product('cairn', { en: 'Cairn down vest', de: 'Daunenweste Cairn' }, 129.95, 'new'),
        product('juniper', { en: 'Juniper beanie', de: 'Mütze Juniper' }, 29.95, 'sale'),
      ],
      translations: [words('de', 'Neu in dieser Saison', 'Alle ansehen'), words('fr', 'Nouveautés', 'Tout voir')],
    },
  },
  {
    name: 'For our best customers',
    segment: 'vip',
    promotion_type: 'banner',
    enabled: true,
    promotion_properties: {
      title: 'Thank you for staying with us',
      subtitle: 'Shipping is on us until the end of the month',
      cta_label: 'To the shop',
      cta_url: shopUrl,
      discount_code: 'SHIPFREE',
      translations: [words('de', 'Danke für Ihre Treue', 'Zum Shop', 'Bis Monatsende tragen wir den Versand')],
    },
  },
]

/** Campaigns of every type, and an A/B test of two of them with some views. */
export async function runCampaigns(context: ShopContext): Promise<void> {
  const begun = { ...context, now: after(context.now, -testedDaysAgo * dayMs) }
  const { items: discounts } = await listDiscounts(begun, {})
  for (const { code, ...campaign } of campaigns) {
    const discount_id = discounts.find((discount) => discount.code === code)?.id
    await perform(begun, createCampaign, { ...campaign, ...(discount_id ? { discount_id } : {}) })
  }
  const { items } = await listCampaigns(begun, {})
  await perform(begun, createAbTest, {
    name: 'Socks or a tenth off?',
    segment: 'default',
    campaign_type: 'basic',
    campaigns: compared.map((name) => ({ campaign_id: items.find((each) => each.name === name)?.id, allocation: 50 })),
    has_holdout: true,
    holdout_percentage: 10,
  })
  await viewPages({ ...begun, now: after(begun.now, dayMs) })
}

async function viewPages(context: ShopContext): Promise<void> {
  const { items: orders } = await listOrders(context, { order_placed_to: context.now.toISOString(), per_page: viewers })
  for (const [index, { id, page_nonce: nonce }] of orders.entries()) {
    const order = await findOfferedOrder(context, context.shop.id, id)
    if (order === undefined) continue
    const { decision } = await decideFor(context, order)
    const path = { token: pageToken(context, { shopId: context.shop.id, orderId: id, nonce }) }
    const body = { campaign_id: decision.campaignId }
    await recordExposure.handle(context, { path, query: {}, body, upload: undefined })
    if (decision.campaignId !== null && index % 3 === 0) {
      await recordClick.handle(context, { path, query: {}, body, upload: undefined })
    }
  }
}

function words(language: 'de' | 'fr', title: string, cta_label: string, subtitle?: string) {
  return { language, values: { title, cta_label, ...(subtitle ? { subtitle } : {}) } }
}

function product(name: string, titles: { en: string; de: string }, price: number, category: 'new' | 'sale') {
  return {
    title: titles.en,
    product_url: `${shopUrl}/products/${name}`,
    price,
    currency: 'EUR',
    category,
    translations: [{ language: 'de' as const, values: { title: titles.de } }],
  }
}
