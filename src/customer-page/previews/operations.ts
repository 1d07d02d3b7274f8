import { findCustomerOrder, type PageOrderRecord } from '../../customer-view/order-page/store.ts'
import { decideFor, presentOffers } from '../../offers/decision/decide.ts'
import type { Offers } from '../../offers/decision/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { isLanguage } from '../../platform/foundation/languages.ts'
import { operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import type { PageResponse } from '../../platform/foundation/page-route.ts'
import { BytesReply } from '../../platform/foundation/schema.ts'
import { chosenPalette } from '../../shops/settings/contrast-operations.ts'
import { getSettings } from '../../shops/settings/store.ts'
import { claimStateStyle } from '../claim/state.ts'
import { renderLayout } from '../layout.ts'
import { renderOrder } from '../order/render.ts'
import { previewThemeOf, type Theme, themeOf } from '../theme.ts'
import { type Viewer, viewerIn } from '../viewer.ts'
import { presentDraft } from './draft.ts'
import { sampleOffers, sampleOrder } from './sample.ts'
import { PagePreview, PalettePreviewQuery } from './schema.ts'

const reply = BytesReply('text/html', '<!doctype html><title>Your order</title>')

export const previewTrackingPage = operation({
  name: 'previewTrackingPage',
  summary: 'Preview the tracking page with other colours',
  description:
    'An HTML page with a made-up order, in the given colours and language. Nothing is saved. Pages of this service may show it in a frame.',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/brand-palette/preview',
  needs: 'viewer',
  query: PalettePreviewQuery,
  reply,
  async handle(context, { query }) {
    const { language: tag = context.shop.language, scheme = 'light' } = query
    const language = isLanguage(tag) ? tag : 'en'
    return toReply(
      renderPreview(context, {
        viewer: viewerIn(context, language),
        order: sampleOrder(context, language, 'in_delivery'),
        offers: sampleOffers(context),
        theme: previewThemeOf(await chosenPalette(context, query), scheme),
      }),
    )
  },
})

export const previewOffers = operation({
  name: 'previewPage',
  summary: 'Preview the tracking page with offers that are not saved',
  description:
    'An HTML page with a made-up order and exactly these offers, as a customer would see them. Nothing is saved, and nothing is counted.',
  area: 'Offers',
  route: 'POST /v1/shops/{slug}/settings/page-preview',
  needs: 'viewer',
  body: PagePreview,
  reply,
  errors: ['discount_not_found'],
  audit: { none: 'Nothing is changed.' },
  async handle(context, { body }) {
    const language = body.language ?? context.shop.language
    const { palette } = await getSettings(context, context.shop.id)
    return toReply(
      renderPreview(context, {
        viewer: viewerIn(context, language),
        order: sampleOrder(context, language, body.scene ?? 'in_delivery'),
        // The shop's own texts follow the page's language.
        offers: await presentDraft({ ...context, acceptLanguage: language }, body),
        theme: previewThemeOf(palette, body.color_scheme ?? 'light'),
      }),
    )
  },
})

export const previewOrderPage = operation({
  name: 'previewOrderPage',
  summary: "Preview an order's tracking page",
  description:
    "The HTML page as the customer sees it now. Nothing in it can be followed, and looking at it is not counted as the customer's visit. Pages of this service may show it in a frame.",
  area: 'Orders',
  route: 'GET /v1/shops/{slug}/orders/{order_id}/page-preview',
  needs: 'viewer',
  reply,
  errors: ['order_not_found'],
  async handle(context, { path }) {
    const page = await previewOrder(context, path.order_id)
    if (page === undefined) throw new ApiError('order_not_found', `There is no order with the id ${path.order_id}.`)
    return toReply(page)
  },
})

function toReply({ html, headers }: PageResponse): ReplyWithHeaders<Buffer> {
  return new ReplyWithHeaders(Buffer.from(html?.html ?? ''), {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'SAMEORIGIN',
  })
}

interface PreviewedPage {
  viewer: Viewer
  order: PageOrderRecord
  offers: Offers
  theme: Theme
}

/** An order's page in which nothing can be followed. */
function renderPreview({ shop, now }: ShopContext, { viewer, order, offers, theme }: PreviewedPage): PageResponse {
  // A caller who may only read must not find the address of the customer's page in it.
  const root = `/track/${shop.slug}/preview`
  const { title, main } = renderOrder({ reading: { viewer, shopName: shop.name, now }, order, offers, root })
  return renderLayout({
    title,
    viewer,
    shop,
    theme,
    address: root,
    main,
    isPreview: true,
    ...(order.claims.length > 0 ? { styles: [claimStateStyle] } : {}),
  })
}

/**
 * The page of an order for the shop itself: in the shop's language, and without counting a visit or an exposure. Undefined
 * if there is no such order.
 */
async function previewOrder(context: ShopContext, orderId: string): Promise<PageResponse | undefined> {
  const { shop } = context
  const order = await findCustomerOrder(context, { shopId: shop.id, orderId })
  if (order === undefined) return undefined
  const offered = { ...order.offered, id: order.id, shop }
  const viewer = viewerIn(context, isLanguage(shop.language) ? shop.language : 'en')
  const reader = { ...context, acceptLanguage: viewer.language }
  const decided = await decideFor(reader, offered)
  const offers = await presentOffers(reader, offered, decided)
  return renderPreview(context, { viewer, order, offers, theme: themeOf(decided.compiled.palette) })
}
