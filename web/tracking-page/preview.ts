import { after, dayMs, hourMs } from '../../src/foundation/clock.ts'
import type { ShopContext } from '../../src/foundation/context.ts'
import type { Language } from '../../src/foundation/languages.ts'
import type { Offers } from '../../src/resources/offers/schema.ts'
import type { PageOrderRecord, PageShipment } from '../../src/resources/order-page/store.ts'
import type { RenderPreview } from '../../src/resources/settings/page-preview.ts'
import { renderLayout } from './layout.ts'
import { renderOrder } from './order/render.ts'
import { previewThemeOf } from './theme.ts'
import { viewerIn } from './viewer.ts'

/** The tracking page of a made-up order, in colours that need not be the shop's. Nothing is read from the store. */
export const renderPagePreview: RenderPreview = (context, { palette, language, scheme }) => {
  const viewer = viewerIn(context, language)
  const reading = { viewer, shopName: context.shop.name, now: context.now }
  const root = `/track/${context.shop.slug}/preview`
  const { title, main } = renderOrder({
    reading,
    order: sampleOrder(context, language),
    offers: sampleOffers(context),
    root,
  })
  const { html, headers = {} } = renderLayout({
    title,
    viewer,
    shop: context.shop,
    theme: previewThemeOf(palette, scheme),
    address: root,
    main,
    isPreview: true,
  })
  return { html: html?.html ?? '', headers }
}

const sampleId = '00000000-0000-7000-8000-000000000000'

/** What was ordered, in every language of the page. */
const jackets: Record<Language, string> = {
  cs: 'Bunda do deště',
  da: 'Regnjakke',
  de: 'Regenjacke',
  en: 'Rain jacket',
  es: 'Chubasquero',
  fi: 'Sadetakki',
  fr: 'Veste de pluie',
  gr: 'Αδιάβροχο μπουφάν',
  hu: 'Esőkabát',
  it: 'Giacca da pioggia',
  lv: 'Lietus jaka',
  nl: 'Regenjas',
  pl: 'Kurtka przeciwdeszczowa',
  pt: 'Casaco impermeável',
  sk: 'Bunda do dažďa',
  sv: 'Regnjacka',
}

function sampleOrder({ now, shop }: ShopContext, language: Language): PageOrderRecord {
  return {
    id: sampleId,
    order_number: '1042',
    order_name: null,
    order_placed_at: after(now, -3 * dayMs),
    currency: shop.currency,
    products: [{ title: jackets[language], quantity: 1, price: 89.9 }],
    country_code: 'DE',
    expected_number_of_shipments: 1,
    nothing_to_send: false,
    handed_over_without_tracking: false,
    shipments: [sampleShipment(now)],
    claims: [],
    state: '',
    offered: { segments: [], productIds: [], customer: '', assignments: {}, version: 0 },
  }
}

/** On its way since yesterday, and expected today. */
function sampleShipment(now: Date): PageShipment {
  const scan = (hours: number, event_key: string, city: string, latitude: number, longitude: number) => ({
    event_key,
    event_time: after(now, -hours * hourMs).toISOString(),
    timezone: null,
    location: { city, country_code: 'DE', latitude, longitude },
    additional_info: null,
  })
  return {
    id: sampleId,
    order_id: sampleId,
    tracking_number: '00340434161094042557',
    carrier_reference: 'dhl',
    tracking_company: null,
    tracking_url: null,
    external_shipment_id: null,
    direction: 'merchant_customer',
    phase: 'in_delivery',
    flag: 'normal',
    current_event_key: 'OUT_FOR_DELIVERY',
    products: null,
    expected_delivery: {
      start: after(now, 2 * hourMs).toISOString(),
      end: after(now, 4 * hourMs).toISOString(),
      source: 'carrier',
    },
    pickup: null,
    created_at: after(now, -2 * dayMs).toISOString(),
    updated_at: now.toISOString(),
    events: [
      scan(30, 'PICKUP_SUCCESSFUL', 'Hamburg', 53.55, 10),
      scan(14, 'ARRIVED_AT_SORTING_CENTER', 'Hannover', 52.37, 9.73),
      scan(1, 'OUT_FOR_DELIVERY', 'Berlin', 52.52, 13.4),
    ],
  }
}

/** An offer in the colours of offers; its texts are those of the page. */
function sampleOffers({ now, shop }: ShopContext): Offers {
  const time = now.toISOString()
  const properties = {
    title: null,
    subtitle: null,
    cta_label: null,
    cta_url: shop.shop_url ?? 'https://shop.example/',
    image_url: null,
    discount_code: 'THANKS10',
    translations: [],
  }
  return {
    campaign: {
      uuid: sampleId,
      shop_slug: shop.slug,
      name: '',
      segment: 'default',
      promotion_type: 'basic',
      promotion_properties: properties,
      enabled: true,
      status: 'active',
      start_date: time,
      end_date: null,
      discount: null,
      created_at: time,
      updated_at: time,
    },
    deals: [],
    announcements: [],
    reasons: [],
  }
}
