import type { ShopContext } from '../../foundation/context.ts'
import type { Language } from '../../foundation/languages.ts'
import type { BrandPalette } from './palette.ts'

export interface PreviewedPage {
  palette: Partial<BrandPalette>
  language: Language
  scheme: 'light' | 'dark'
}

/** Renders a sample of the tracking page. The pages implement it, because this layer does not know them. */
export type RenderPreview = (
  context: ShopContext,
  page: PreviewedPage,
) => { html: string; headers: Record<string, string | string[]> }

declare module '../../foundation/services.ts' {
  interface Services {
    readonly renderPagePreview: RenderPreview
  }
}
