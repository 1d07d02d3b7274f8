import { readFileSync } from 'node:fs'
import type { TeamLanguage } from '../../team-mail/view.ts'

/** A text, or its forms by number. */
type Text = string | { one: string; other: string }

const texts: Record<TeamLanguage, Record<string, Text>> = { en: read('en'), de: read('de') }

export type Words = (key: string, values?: Record<string, string | number>) => string

/** The texts of a language. `count` chooses between singular and plural. */
export function wordsOf(language: TeamLanguage): Words {
  return (key, values = {}) => {
    const text = texts[language][key]
    if (text === undefined) throw new Error(`src/messages/rendering/team/texts/${language}.json has no "${key}"`)
    const form = typeof text === 'string' ? text : values.count === 1 ? text.one : text.other
    return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) => format(language, values[name]) ?? whole)
  }
}

/** English as it is written in Europe: the day before the month. */
export function localeOf(language: TeamLanguage): string {
  return language === 'en' ? 'en-GB' : language
}

function format(language: TeamLanguage, value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? value.toLocaleString(localeOf(language)) : value
}

function read(language: TeamLanguage): Record<string, Text> {
  return JSON.parse(readFileSync(new URL(`./texts/${language}.json`, import.meta.url), 'utf8')) as Record<string, Text> // our own file
}
