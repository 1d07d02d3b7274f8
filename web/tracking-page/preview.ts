import type { ShopContext } from '../../src/foundation/context.ts'
import type { PreviewedOffers, RenderOfferPreview } from '../../src/resources/offers/page-preview.ts'
import type { Offers } from '../../src/resources/offers/schema.ts'
import type { RenderPreview } from '../../src/resources/settings/page-preview.ts'
import { renderLayout } from './layout.ts'
import { renderOrder } from './order/render.ts'
import { sampleId, sampleOrder } from './preview-order.ts'
import { previewThemeOf } from './theme.ts'
import { viewerIn } from './viewer.ts'

/** The tracking page of a made-up order, in colours that need not be the shop's. Nothing is read from the store. */
export const renderPagePreview: RenderPreview = (context, page) =>
  renderPreview(context, { ...page, offers: sampleOffers(context), scene: 'in_delivery' })

/** The same with offers that need not be saved. */
export const renderOfferPreview: RenderOfferPreview = renderPreview

function renderPreview(context: ShopContext, { palette, language, scheme, offers, scene }: PreviewedOffers) {
  const viewer = viewerIn(context, language)
  const reading = { viewer, shopName: context.shop.name, now: context.now }
  const root = `/track/${context.shop.slug}/preview`
  const { title, main } = renderOrder({ reading, order: sampleOrder(context, language, scene), offers, root })
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
