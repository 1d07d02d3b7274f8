import { sampleProducts } from '../../customer-view/order-page/sample-products.ts'
import type { PageOrderRecord, PageShipment } from '../../customer-view/order-page/store.ts'
import type { Offers } from '../../offers/decision/schema.ts'
import { getMeaning } from '../../platform/catalogue/catalogue.ts'
import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { Language } from '../../platform/foundation/languages.ts'
import { draftId } from './draft.ts'
import type { PreviewScene } from './schema.ts'

/** An order that came this far. */
export function sampleOrder({ now, shop }: ShopContext, language: Language, scene: PreviewScene): PageOrderRecord {
  return {
    id: draftId,
    order_number: '1042',
    order_name: null,
    order_placed_at: after(now, -3 * dayMs),
    currency: shop.currency,
    products: [{ title: sampleProducts[language], quantity: 1, price: 89.9 }],
    country_code: 'DE',
    expected_number_of_shipments: 1,
    nothing_to_send: false,
    handed_over_without_tracking: false,
    promise: null,
    shipments: [sampleShipment(now, scenes[scene])],
    claims: [],
    state: '',
    offered: { segments: [], productIds: [], customer: '', assignments: {}, version: 0 },
  }
}

type Scan = readonly [hoursAgo: number, event_key: string, place?: keyof typeof places]

const places = {
  Hamburg: { latitude: 53.55, longitude: 10 },
  Hannover: { latitude: 52.37, longitude: 9.73 },
  Berlin: { latitude: 52.52, longitude: 13.4 },
}

const sorted = [
  [30, 'PICKUP_SUCCESSFUL', 'Hamburg'],
  [14, 'ARRIVED_AT_SORTING_CENTER', 'Hannover'],
] as const
const loaded = [3, 'OUT_FOR_DELIVERY', 'Berlin'] as const

/** The scans of each scene, oldest first. */
const scenes: Record<PreviewScene, readonly [...Scan[], Scan]> = {
  placed: [[72, 'ORDER_CREATED']],
  in_transit: sorted,
  in_delivery: [...sorted, loaded],
  delivered: [...sorted, loaded, [1, 'SUCCESSFULLY_DELIVERED', 'Berlin']],
  failed: [...sorted, loaded, [1, 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', 'Berlin']],
}

/** A parcel after these scans; before it is on its way, it has no number yet. */
function sampleShipment(now: Date, scans: readonly [...Scan[], Scan]): PageShipment {
  const current = scans[scans.length - 1]?.[1] ?? ''
  const meaning = getMeaning(current)
  const isSent = current !== 'ORDER_CREATED'
  const isUnderWay = meaning.phase === 'in_transit' || meaning.phase === 'in_delivery'
  return {
    id: draftId,
    order_id: draftId,
    tracking_number: isSent ? '00340434161094042557' : null,
    carrier_reference: isSent ? 'dhl' : null,
    tracking_company: null,
    service: null,
    tracking_url: null,
    external_shipment_id: null,
    direction: 'merchant_customer',
    phase: meaning.phase,
    flag: meaning.flag,
    current_event_key: current,
    products: null,
    expected_delivery: isUnderWay
      ? {
          start: after(now, 2 * hourMs).toISOString(),
          end: after(now, 4 * hourMs).toISOString(),
          source: 'carrier',
        }
      : null,
    pickup: null,
    proof_of_delivery: meaning.phase === 'delivered' ? sampleProof(now, scans) : null,
    created_at: after(now, -2 * dayMs).toISOString(),
    updated_at: now.toISOString(),
    events: scans.map(([hours, event_key, city]) => ({
      event_key,
      event_time: after(now, -hours * hourMs).toISOString(),
      timezone: null,
      location: city ? { city, country_code: 'DE', ...places[city] } : null,
      additional_info: null,
    })),
  }
}

function sampleProof(now: Date, scans: readonly Scan[]): PageShipment['proof_of_delivery'] {
  const [hours = 0, , city = null] = scans.at(-1) ?? []
  const time = after(now, -hours * hourMs).toISOString()
  return { received_by: 'A. Example', time, place: city, source: 'dhl', picture_url: null, signature_url: null }
}

/** A campaign that shows the colours of offers; its texts are those of the page. */
export function sampleOffers({ now, shop }: ShopContext): Offers {
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
      uuid: draftId,
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
