import { existsSync, readFileSync } from 'node:fs'
import { formatTag } from './formats.ts'
import type { Language } from './languages.ts'

/** The texts of one folder in one language. */
export interface Texts<Key extends string = string> {
  language: Language
  /** A text with its {placeholders} filled. */
  say(key: Key, values?: Record<string, string | number>): string
  /** A text as it is written; undefined if there is none. */
  find(key: string): string | undefined
  /** The plural form for a number, such as `parcels.one` or `parcels.other`. {count} is the number. */
  count(key: string, count: number, values?: Record<string, string | number>): string
}

type Entries = Readonly<Record<string, string>>

const loaded = new Map<string, Texts>()

/**
 * The texts of `<folder>/<language>.json`, loaded on first use. Missing ones are English, so that a text can be added
 * before it is translated.
 */
export function textsIn<Key extends string = string>(folder: URL, language: Language): Texts<Key> {
  const name = `${folder.href} ${language}`
  const known = loaded.get(name) ?? load(folder, language)
  loaded.set(name, known)
  return known
}

function load(folder: URL, language: Language): Texts {
  const english = read(folder, 'en')
  const own = language === 'en' ? english : read(folder, language)
  const tag = formatTag(language)
  const plurals = new Intl.PluralRules(tag)
  const numbers = new Intl.NumberFormat(tag)
  const find = (key: string) => own[key] ?? english[key]
  return {
    language,
    say(key, values) {
      const text = find(key)
      if (text === undefined) throw new Error(`there is no text ${key}`)
      return values === undefined ? text : fill(text, values)
    },
    find,
    count(key, count, values) {
      const text = find(`${key}.${plurals.select(count)}`) ?? find(`${key}.other`)
      if (text === undefined) throw new Error(`there is no text ${key}.other`)
      return fill(text, { ...values, count: numbers.format(count) })
    },
  }
}

function read(folder: URL, language: Language): Entries {
  const file = new URL(`${language}.json`, folder)
  // Our own file: a test checks that every entry is text.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Entries) : {}
}

/** Placeholders without a value stay. */
export function fill(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}
