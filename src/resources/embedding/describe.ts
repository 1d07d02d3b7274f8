import type { ShopContext } from '../../foundation/context.ts'
import type { Language } from '../../foundation/languages.ts'
import type { promiseTemplates } from '../delivery-promises/words.ts'
import type { LookedUpOrder, WidgetTexts } from './schema.ts'

/** The words of the tracking page. The pages implement it, because this layer does not know them. */
export interface WidgetWords {
  texts(language: Language): Omit<WidgetTexts, keyof ReturnType<typeof promiseTemplates>>
  /** When delivery was promised. */
  promised(language: Language, days: string): string
  /** What the order's page says, in a few words; undefined if the order is gone. */
  describe(
    context: ShopContext,
    orderId: string,
    language: Language,
  ): Promise<Omit<LookedUpOrder, 'language' | 'page_url' | 'promise'> | undefined>
}

declare module '../../foundation/services.ts' {
  interface Services {
    readonly widgetWords: WidgetWords
  }
}
