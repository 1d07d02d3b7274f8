import type { ShopContext } from '../../foundation/context.ts'
import { given } from '../../foundation/given.ts'
import { isLanguage } from '../../foundation/languages.ts'
import { operation, ReplyWithHeaders } from '../../foundation/operation.ts'
import { BytesReply, type Static } from '../../foundation/schema.ts'
import { type BrandPalette, paletteColors } from './palette.ts'
import { contrastsOf } from './palette-contrast.ts'
import { ContrastQuery, PaletteContrast, PreviewQuery } from './preview-schema.ts'
import { getSettings } from './store.ts'

export const previewTrackingPage = operation({
  name: 'previewTrackingPage',
  summary: 'Preview the tracking page with other colours',
  description:
    'An HTML page with a made-up order, in the given colours and language. Nothing is saved. Pages of this service may show it in a frame.',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/brand-palette/preview',
  needs: 'viewer',
  query: PreviewQuery,
  reply: BytesReply('text/html', '<!doctype html><title>Your order</title>'),
  async handle(context, { query }) {
    const { language = context.shop.language, scheme = 'light' } = query
    const page = context.services.renderPagePreview(context, {
      palette: await paletteOf(context, query),
      language: isLanguage(language) ? language : 'en',
      scheme,
    })
    return new ReplyWithHeaders(Buffer.from(page.html), {
      ...page.headers,
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'SAMEORIGIN',
    })
  },
})

export const checkPaletteContrast = operation({
  name: 'checkPaletteContrast',
  summary: 'Check how readable the colours of a shop are',
  description:
    'For each colour where the tracking page uses it, by the contrast that WCAG 2.2 requires. Colours that are hard to read are shifted when a page is shown, so that no page is unreadable; `shown` is the result. Colours that are absent are those of the shop; nothing is saved.',
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/brand-palette/contrast',
  needs: 'viewer',
  query: ContrastQuery,
  reply: PaletteContrast,
  async handle(context, { query }) {
    return { pairs: contrastsOf(await paletteOf(context, query)) }
  },
})

async function paletteOf(context: ShopContext, query: Static<typeof ContrastQuery>): Promise<Partial<BrandPalette>> {
  const { palette } = await getSettings(context, context.shop.id)
  return { ...palette, ...given(query, paletteColors) }
}
