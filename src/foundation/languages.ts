/** The 16 languages. `gr` is Greek: the API's own spelling, kept wherever it is shown. */
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
 * Picks the best of our languages from an Accept-Language header: highest q first, the header's order among equals;
 * `de-AT` counts as `de`, `el` as `gr`; q=0 excludes. `*` is any language not named, which is the fallback's turn.
 */
export function chooseLanguage(header: string | undefined, fallback: Language): Language {
  if (header === undefined || header === '') return fallback
  const wishes: { language: string; quality: number }[] = []
  for (const part of header.split(',').slice(0, 50)) {
    const [tag = '', ...parameters] = part.split(';')
    const primary = tag.trim().toLowerCase().split('-')[0] ?? ''
    const weight = parameters.map((parameter) => /^\s*q\s*=\s*([0-9.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
    const quality = weight === undefined ? 1 : Number(weight)
    if (primary !== '' && quality > 0 && quality <= 1) {
      wishes.push({ language: primary === 'el' ? 'gr' : primary, quality })
    }
  }
  wishes.sort((left, right) => right.quality - left.quality)
  for (const { language } of wishes) {
    if (isLanguage(language)) return language
    if (language === '*') return fallback
  }
  return fallback
}
