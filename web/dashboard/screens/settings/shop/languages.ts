import type { Schemas } from '@doorstep/client'
import { locale } from '../../../texts/texts.ts'

export type Language = Schemas['ShopProfile']['language']

/** The languages of the tracking page. */
export const pageLanguages = [
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'gr',
  'hu',
  'it',
  'lv',
  'nl',
  'pl',
  'pt',
  'sk',
  'sv',
] as const satisfies readonly Language[]

/** In the reader's language. `gr` is how this API has always called Greek. */
export function languageName(language: Language): string {
  const tag = language === 'gr' ? 'el' : language
  const name = new Intl.DisplayNames(locale(), { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase() + name.slice(1)
}

export const industries = [
  'clothing_and_accessories',
  'electronics',
  'food_and_drink',
  'health_and_beauty',
  'home_and_garden',
  'sports_and_recreation',
  'jewelry_and_accessories',
  'toys_and_games',
  'pet_care',
  'automotive',
  'books_and_media',
  'office_and_business',
  'arts_and_crafts',
  'baby_and_kids',
  'other',
] as const satisfies readonly NonNullable<Schemas['ShopProfile']['industry']>[]
