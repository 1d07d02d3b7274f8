import type { Language } from '../../app/languages.ts'

/** Texts of one language. */
export type Words<Name extends string> = Partial<Record<Name, string | null>>

export type Translations<Name extends string> = Partial<Record<Language, Words<Name>>>

/** Without texts that are empty, and languages that have none. */
export function written<Name extends string>(translations: Translations<Name>): [Language, Words<Name>][] {
  const entries = Object.entries(translations) as [Language, Words<Name>][] // its keys are languages
  return entries.flatMap(([language, words]): [Language, Words<Name>][] => {
    const said = Object.entries(words).filter(([, text]) => text)
    return said.length > 0 ? [[language, Object.fromEntries(said) as Words<Name>]] : [] // the same names
  })
}

export function usedLanguages<Name extends string>(translations: Translations<Name>): Language[] {
  return written(translations).map(([language]) => language)
}

/** With one text more, or another one. */
export function translate<Name extends string>(
  translations: Translations<Name>,
  language: Language,
  name: Name,
  text: string,
): Translations<Name> {
  return { ...translations, [language]: { ...translations[language], [name]: text } }
}
