import type { Schemas } from 'doorstep-client'
import { locale } from '../texts/texts.ts'

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
  const tag = languageTag(language)
  const name = new Intl.DisplayNames(locale(), { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase() + name.slice(1)
}

/** As browsers call it. */
export function languageTag(language: Language): string {
  return language === 'gr' ? 'el' : language
}

/** All of them, by name. */
export function languageChoices(): { value: Language; label: string }[] {
  return pageLanguages
    .map((language) => ({ value: language as Language, label: languageName(language) }))
    .toSorted((left, right) => left.label.localeCompare(right.label))
}
