import { isLanguage } from '../../../src/foundation/languages.ts'
import { decideFor, presentOffers } from '../../../src/resources/offers/decide.ts'
import { findPageOrder } from '../../../src/resources/order-page/store.ts'
import type { RenderOrderPreview } from '../../../src/resources/page-addresses/order-preview.ts'
import { parsePageToken } from '../../../src/resources/page-addresses/page-token.ts'
import { claimStateStyle } from '../claim/state.ts'
import { renderLayout } from '../layout.ts'
import { themeOf } from '../theme.ts'
import { viewerIn } from '../viewer.ts'
import { renderOrder } from './render.ts'

/** The page of an order for the shop itself: in the shop's language, and without counting a visit or an exposure. */
export const renderOrderPreview: RenderOrderPreview = async (context, token) => {
  const { shop } = context
  const opened = parsePageToken(token)
  const order = opened && (await findPageOrder(context, opened))
  if (order === undefined) return undefined
  const offered = { ...order.offered, id: order.id, shop }
  const viewer = viewerIn(context, isLanguage(shop.language) ? shop.language : 'en')
  const reader = { ...context, acceptLanguage: viewer.language }
  const decided = await decideFor(reader, offered)
  // Nothing in it can be followed, and those who only read must not find the customer's address in it.
  const root = `/track/${shop.slug}/preview`
  const { title, main } = renderOrder({
    reading: { viewer, shopName: shop.name, now: context.now },
    order,
    offers: await presentOffers(reader, offered, decided),
    root,
  })
  const { html, headers = {} } = renderLayout({
    title,
    viewer,
    shop,
    theme: themeOf(decided.compiled.palette),
    address: root,
    main,
    isPreview: true,
    ...(order.claims.length > 0 ? { styles: [claimStateStyle] } : {}),
  })
  return { html: html?.html ?? '', headers }
}
