import { chooseLanguage, type Language } from '../../platform/foundation/languages.ts'
import type { ShopDescription } from '../rows.ts'

interface DescribedShop {
  language: Language
  descriptions: readonly ShopDescription[]
}

/** The description in the reader's language, else in the shop's, else the newest. */
export function describe(shop: DescribedShop, acceptLanguage: string | undefined): string | null {
  const inLanguage = (language: Language) => shop.descriptions.find((description) => description.language === language)
  const wanted = chooseLanguage(acceptLanguage, shop.language, (language) => inLanguage(language) !== undefined)
  return (inLanguage(wanted) ?? shop.descriptions[0])?.text ?? null
}

/**
 * The descriptions after writing one in the language of the request. Null removes that language's, or all if the
 * request names no language.
 */
export function withDescription(
  shop: DescribedShop,
  acceptLanguage: string | undefined,
  text: string | null,
): ShopDescription[] {
  if (text === null && acceptLanguage === undefined) return []
  const language = chooseLanguage(acceptLanguage, shop.language)
  const others = shop.descriptions.filter((description) => description.language !== language)
  return text === null ? others : [{ language, text }, ...others]
}
