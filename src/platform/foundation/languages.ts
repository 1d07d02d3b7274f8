/** The 16 languages. `gr` is Greek: the API's own spelling, everywhere. */
export const languages = [
  'cs',
  'da',
  'nl',
  'en',
  'fi',
  'fr',
  'de',
  'gr',
  'hu',
  'it',
  'lv',
  'pl',
  'pt',
  'sk',
  'es',
  'sv',
] as const
export type Language = (typeof languages)[number]

const known = new Set<string>(languages)

export function isLanguage(text: string): text is Language {
  return known.has(text)
}

/** The tag that Intl and the `lang` attribute understand. */
export function languageTag(language: Language): string {
  return language === 'gr' ? 'el' : language
}

/**
 * Codes that stand for one of the 16: Greek's own, and the countries `dk` and `cz`, which no language has as its code.
 * `se` is not among them: it is Northern Sami.
 */
const otherCodes = new Map([
  ['el', 'gr'],
  ['dk', 'da'],
  ['cz', 'cs'],
])

/**
 * The language that a tag names, in our spelling: `de-AT` and `de_AT` count as `de`, `el` as `gr`. It need not be one of
 * the 16.
 */
export function primaryLanguage(tag: string): string {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/, 1)
  return otherCodes.get(primary) ?? primary
}

/**
 * Picks the best of our languages from an Accept-Language header: highest q first, the header's order among equals;
 * q=0 excludes. `*` is any language not named, which is the fallback. If not everything is offered in every language,
 * the first one that is offered wins.
 */
export function chooseLanguage(
  header: string | undefined,
  fallback: Language,
  isOffered: (language: Language) => boolean = () => true,
): Language {
  if (header === undefined || header === '') return fallback
  const preferences: { language: string; quality: number }[] = []
  for (const part of header.split(',').slice(0, 50)) {
    const [tag = '', ...parameters] = part.split(';')
    const language = primaryLanguage(tag)
    const weight = parameters.map((parameter) => /^\s*q\s*=\s*([0-9.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
    const quality = weight === undefined ? 1 : Number(weight)
    if (language !== '' && quality > 0 && quality <= 1) preferences.push({ language, quality })
  }
  preferences.sort((left, right) => right.quality - left.quality)
  for (const { language } of preferences) {
    if (isLanguage(language) && isOffered(language)) return language
    if (language === '*') return fallback
  }
  return fallback
}

/**
 * The translation to show, or undefined to show the original text. The original counts as written in the shop's language,
 * so a reader who prefers that language gets no translation.
 */
export function chooseTranslation<Texts>(
  header: string | undefined,
  shopLanguage: Language,
  translations: ReadonlyMap<string, Texts>,
): Texts | undefined {
  const isOffered = (language: Language) => language === shopLanguage || translations.has(language)
  return translations.get(chooseLanguage(header, shopLanguage, isOffered))
}
