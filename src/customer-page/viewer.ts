import type english from '../customer-view/texts/page/en.json'
import type { Context, ShopContext } from '../platform/foundation/context.ts'
import { chooseLanguage, isLanguage, type Language } from '../platform/foundation/languages.ts'
import type { PageRequest } from '../platform/foundation/page-route.ts'
import { type Texts, textsIn } from '../platform/foundation/texts.ts'

export type TextKey = keyof typeof english

/** The reader of a page: their language, and how links preserve it. */
export interface Viewer {
  language: Language
  /** The language chosen on the page. Every link carries it, so that no cookie is needed. */
  chosen: Language | undefined
  texts: Texts<TextKey>
  /** The path prefix, if the service is mounted below one. */
  base: string
  publicUrl: string
}

const folder = new URL('../customer-view/texts/page/', import.meta.url)

export function viewerOf(context: Context & Partial<Pick<ShopContext, 'shop'>>, request: PageRequest): Viewer {
  const language = chooseLanguage(context.acceptLanguage, context.shop?.language ?? 'en')
  const { lang = '' } = request.query
  return { ...viewerIn(context, language), chosen: isLanguage(lang) ? lang : undefined }
}

/** A reader of this language. */
export function viewerIn({ services }: Pick<Context, 'services'>, language: Language): Viewer {
  return {
    language,
    chosen: undefined,
    texts: textsIn<TextKey>(folder, language),
    base: basePath(services.publicUrl),
    publicUrl: services.publicUrl,
  }
}

/** A link within the pages that keeps the chosen language. */
export function linkTo(viewer: Pick<Viewer, 'base' | 'chosen'>, path: string): string {
  if (viewer.chosen === undefined) return `${viewer.base}${path}`
  return `${viewer.base}${path}${path.includes('?') ? '&' : '?'}lang=${viewer.chosen}`
}

function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}
