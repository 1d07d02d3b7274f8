import type { Context, ShopContext } from '../../src/foundation/context.ts'
import { chooseLanguage, isLanguage, type Language } from '../../src/foundation/languages.ts'
import type { PageRequest } from '../../src/foundation/page-route.ts'
import type english from './texts/en.json'
import { type Texts, textsIn } from './texts.ts'

export type TextKey = keyof typeof english

/** Who looks at a page: the language they read it in, and how its links go on. */
export interface Viewer {
  language: Language
  /** The language that was chosen on the page: every link carries it on, so that no cookie has to. */
  chosen: Language | undefined
  texts: Texts<TextKey>
  /** What comes before the path of every address, where the service is reached below one. */
  base: string
  publicUrl: string
}

const folder = new URL('./texts/', import.meta.url)

export function viewerOf(context: Context & Partial<Pick<ShopContext, 'shop'>>, request: PageRequest): Viewer {
  const language = chooseLanguage(context.acceptLanguage, context.shop?.language ?? 'en')
  const { lang = '' } = request.query
  return {
    language,
    chosen: isLanguage(lang) ? lang : undefined,
    texts: textsIn<TextKey>(folder, language),
    base: basePath(context.services.publicUrl),
    publicUrl: context.services.publicUrl,
  }
}

/** A link within the pages, with the language that was chosen. */
export function linkTo(viewer: Pick<Viewer, 'base' | 'chosen'>, path: string): string {
  if (viewer.chosen === undefined) return `${viewer.base}${path}`
  return `${viewer.base}${path}${path.includes('?') ? '&' : '?'}lang=${viewer.chosen}`
}

function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}
