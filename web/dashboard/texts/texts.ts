import type { ReactNode } from 'react'
import { createElement, Fragment } from 'react'
import type { first } from './first/en.ts'
import { chosenLanguage, type Language, noteLanguage, rememberLanguage } from './language.ts'
import { laterTexts, type TextPart } from './parts.ts'

/** A text is a string, or one string for each plural form that `count` may have. */
type Text = string | { readonly one: string; readonly other: string }
type Texts = { readonly [name: string]: Text | Texts }

type KeysOf<Section> = {
  [Name in keyof Section & string]: Section[Name] extends Text ? Name : `${Name}.${KeysOf<Section[Name]>}`
}[keyof Section & string]
type KeysOfEach<File> = File extends unknown ? KeysOf<File> : never

/** The address of a text, such as `orders.title`. A section may have texts in several files. */
export type TextKey = KeysOfEach<(typeof first)[number] | LaterText>
type LaterText = Awaited<ReturnType<(typeof laterTexts)[TextPart]['en']>>['default']

export type Values = Readonly<Record<string, string | number>>

let current: Language = 'en'
let texts: Texts = {}
let plurals = new Intl.PluralRules('en')
let numbers = new Intl.NumberFormat('en')

/** Loads the texts of the reader's language. Nothing may be rendered before. */
export async function loadTexts(): Promise<void> {
  const language = chosenLanguage()
  noteLanguage()
  const { first } = language === 'de' ? await import('./first/de.ts') : await import('./first/en.ts')
  useTexts(language, ...first)
}

const loading = new Map<TextPart, Promise<void>>()

/** Loads a screen after its texts, which its modules may use as soon as they are loaded. */
export function afterTexts<Module>(parts: readonly TextPart[], load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    await Promise.all(parts.map(loadOnce))
    return load()
  }
}

function loadOnce(part: TextPart): Promise<void> {
  const loaded = loading.get(part) ?? loadLater(part)
  loading.set(part, loaded)
  return loaded
}

async function loadLater(part: TextPart): Promise<void> {
  try {
    const { default: later } = await laterTexts[part][current]()
    texts = merged(texts, later)
  } catch (error) {
    // To be tried again when the screen is.
    loading.delete(part)
    throw error
  }
}

/** Texts of both, section by section. */
function merged(texts: Texts, others: Texts): Texts {
  const sections = Object.entries(others).map(([name, other]) => {
    const own = texts[name]
    return [name, isSection(own) && isSection(other) ? merged(own, other) : other]
  })
  return { ...texts, ...Object.fromEntries(sections) }
}

function useTexts(language: Language, ...files: readonly Texts[]): void {
  current = language
  texts = files.reduce(merged, {})
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

function isSection(found: Text | Texts | undefined): found is Texts {
  return typeof found === 'object' && !isPlural(found)
}

function isPlural(found: Text | Texts | undefined): found is { one: string; other: string } {
  return typeof found === 'object' && typeof found.one === 'string' && typeof found.other === 'string'
}
