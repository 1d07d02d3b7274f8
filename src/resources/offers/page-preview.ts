import type { ShopContext } from '../../foundation/context.ts'
import type { PreviewedPage } from '../settings/page-preview.ts'
import type { PreviewScene } from './preview-schema.ts'
import type { Offers } from './schema.ts'

export interface PreviewedOffers extends PreviewedPage {
  offers: Offers
  scene: PreviewScene
}

/** Renders the tracking page of a made-up order with these offers. The pages implement it, as the preview of colours. */
export type RenderOfferPreview = (
  context: ShopContext,
  page: PreviewedOffers,
) => { html: string; headers: Record<string, string | string[]> }

declare module '../../foundation/services.ts' {
  interface Services {
    readonly renderOfferPreview: RenderOfferPreview
  }
}
