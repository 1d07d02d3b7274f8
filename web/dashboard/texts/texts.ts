import type { ReactNode } from 'react'
import { createElement, Fragment } from 'react'
import type en from './en.json'
import { chosenLanguage, type Language, noteLanguage, rememberLanguage } from './language.ts'
import { laterTexts, type TextPart } from './parts.ts'

/** A text is a string, or one string for each plural form that `count` may have. */
type Text = string | { readonly one: string; readonly other: string }
type Texts = { readonly [name: string]: Text | Texts }

type KeysOf<Section> = {
  [Name in keyof Section & string]: Section[Name] extends Text ? Name : `${Name}.${KeysOf<Section[Name]>}`
}[keyof Section & string]

/** The address of a text, such as `orders.title`. */
export type TextKey = KeysOf<typeof en>

export type Values = Readonly<Record<string, string | number>>

let current: Language = 'en'
let texts: Texts = {}
let plurals = new Intl.PluralRules('en')
let numbers = new Intl.NumberFormat('en')

/** Loads the texts of the reader's language. Nothing may be rendered before. */
export async function loadTexts(): Promise<void> {
  const language = chosenLanguage()
  noteLanguage()
  const module = language === 'de' ? await import('texts:de/first') : await import('texts:en/first')
  useTexts(language, module.default)
}

const loading = new Map<TextPart, Promise<void>>()

/** Loads a screen after the texts of its folder, which its modules may use as soon as they are loaded. */
export function afterTexts<Module>(part: TextPart, load: () => Promise<Module>): () => Promise<Module> {
  return () => {
    const loaded = loading.get(part) ?? loadLaterTexts(part)
    loading.set(part, loaded)
    return loaded.then(load)
  }
}

async function loadLaterTexts(part: TextPart): Promise<void> {
  try {
    const { default: later } = await laterTexts[current][part]()
    texts = { ...texts, ...later }
  } catch (error) {
    // To be tried again when the screen is.
    loading.delete(part)
    throw error
  }
}

export function useTexts(language: Language, loaded: Texts): void {
  current = language
  texts = loaded
  plurals = new Intl.PluralRules(language)
  numbers = new Intl.NumberFormat(locale())
  if (typeof document !== 'undefined') document.documentElement.lang = language
}

export function language(): Language {
  return current
}

/** For formats: the reader's own region, if it speaks the chosen language. */
export function locale(): string {
  const preferred = typeof navigator === 'undefined' ? [] : navigator.languages
  return preferred.find((tag) => tag.split('-')[0] === current) ?? (current === 'en' ? 'en-GB' : current)
}

/** Takes effect by loading the page again: texts never change while it is open. */
export function chooseLanguage(language: Language): void {
  rememberLanguage(language)
  location.reload()
}

/** A text with its values filled in. `{count}` also chooses the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  return formOf(key, values).replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? numbers.format(value) : value
  })
}

/** The same with elements among its values, such as a link in a sentence. */
export function rich(key: TextKey, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const count: Values = typeof values.count === 'number' ? { count: values.count } : {}
  const parts = formOf(key, count).split(/\{(\w+)\}/)
  // Odd parts are the names between the braces.
  const nodes = parts.map((part, index) => {
    if (index % 2 === 0) return part
    const value = values[part]
    return typeof value === 'number' ? numbers.format(value) : value
  })
  return createElement(Fragment, null, ...nodes)
}

/** Whether there is such a text; for keys that come from data. */
export function hasText(key: string): key is TextKey {
  return find(key) !== undefined
}

function formOf(key: TextKey, values: Values): string {
  const text = find(key)
  if (text === undefined) return key
  if (typeof text === 'string') return text
  return plurals.select(Number(values.count)) === 'one' ? text.one : text.other
}

function find(key: string): Text | undefined {
  let found: Text | Texts | undefined = texts
  for (const name of key.split('.')) {
    if (typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined
    found = (found as Texts)[name]
  }
  return typeof found === 'string' || isPlural(found) ? found : undefined
}

function isPlural(found: Text | Texts | undefined): found is { one: string; other: string } {
  return typeof found === 'object' && typeof found.one === 'string' && typeof found.other === 'string'
}
