import { chooseTranslation, type Language, primaryLanguage } from '../../platform/foundation/languages.ts'
import type { DealCreation, Translation } from './schema.ts'

/** The translations in stored form: the last one per language, without nulls. */
export function toStoredTranslations(given: DealCreation['translations']): Translation[] {
  const byLanguage = new Map<string, Translation>()
  for (const { language, data } of given ?? []) {
    const texts = Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null)
    byLanguage.set(language, { language, data: Object.fromEntries(texts) })
  }
  return [...byLanguage.values()]
}

interface Texts {
  title: string | null
  description: string | null
  translations: Translation[]
}

/** Title and description in the preferred language, or as written if not translated. */
export function localize(
  deal: Texts,
  header: string | undefined,
  shopLanguage: Language,
): Pick<Texts, 'title' | 'description'> {
  const byLanguage = new Map(deal.translations.map(({ language, data }) => [primaryLanguage(language), data]))
  const texts = chooseTranslation(header, shopLanguage, byLanguage)
  return { title: texts?.title ?? deal.title, description: texts?.description ?? deal.description }
}
