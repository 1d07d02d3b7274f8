import { operation, ReplyWithHeaders } from '../../foundation/operation.ts'
import { BytesReply } from '../../foundation/schema.ts'
import { getSettings } from '../settings/store.ts'
import { presentDraft } from './preview.ts'
import { PagePreview } from './preview-schema.ts'

export const previewOffers = operation({
  name: 'previewPage',
  summary: 'Preview the tracking page with offers that are not saved',
  description:
    'An HTML page with a made-up order and exactly these offers, as a customer would see them. Nothing is saved, and nothing is counted.',
  area: 'Offers',
  route: 'POST /v1/shops/{slug}/settings/page-preview',
  needs: 'viewer',
  body: PagePreview,
  reply: BytesReply('text/html', '<!doctype html><title>Your order</title>'),
  errors: ['discount_not_found'],
  audit: { none: 'Nothing is changed.' },
  async handle(context, { body }) {
    const language = body.language ?? context.shop.language
    // The shop's own texts follow the page's language.
    const reader = { ...context, acceptLanguage: language }
    const { palette } = await getSettings(context, context.shop.id)
    const page = context.services.renderOfferPreview(context, {
      palette,
      language,
      scheme: body.color_scheme ?? 'light',
      scene: body.scene ?? 'in_delivery',
      offers: await presentDraft(reader, body),
    })
    return new ReplyWithHeaders(Buffer.from(page.html), {
      ...page.headers,
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'SAMEORIGIN',
    })
  },
})
