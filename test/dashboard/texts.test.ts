import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

type Texts = { [name: string]: string | Texts }

const folder = fileURLToPath(new URL('../../web/dashboard/', import.meta.url))
const languages = readdirSync(`${folder}texts`).filter((file) => file.endsWith('.json'))
const english = flatten(read('en.json'))

describe('texts of the dashboard', () => {
  it.each(languages)('in %s are the same as in English, with the same values', (file) => {
    const texts = flatten(read(file))
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of texts) {
      // A singular may say "a parcel" instead of "{count} parcel".
      if (key.endsWith('.one') && isPluralForm(key)) continue
      expect(valuesOf(text), `${file} ${key}`).toEqual(valuesOf(english.get(key) ?? ''))
    }
  })

  it.each(languages)('in %s are neither empty nor padded', (file) => {
    const odd = [...flatten(read(file))].filter(([, text]) => text === '' || text !== text.trim())
    expect(odd).toEqual([])
  })

  it('are all used', () => {
    const sources = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => /\.tsx?$/.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
      .join('\n')
    const unused = [...english.keys()]
      .map((key) => (isPluralForm(key) ? key.replace(/\.\w+$/, '') : key))
      .filter((key) => !sources.includes(`'${key}'`) && !isComposed(sources, key))
    expect([...new Set(unused)]).toEqual([])
  })
})

function isPluralForm(key: string): boolean {
  const [, stem] = /^(.*)\.(?:one|other)$/.exec(key) ?? []
  return stem !== undefined && english.has(`${stem}.one`) && english.has(`${stem}.other`)
}

/** A key whose end comes from data: `phase.${phase}`. */
function isComposed(sources: string, key: string): boolean {
  const parts = key.split(/(?<=[._])/)
  return parts.some((_, index) => index > 0 && sources.includes(`\`${parts.slice(0, index).join('')}\${`))
}

function read(file: string): Texts {
  return JSON.parse(readFileSync(`${folder}texts/${file}`, 'utf8')) as Texts
}

function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[prefix + name, text]] : [...flatten(text, `${prefix}${name}.`)],
  )
  return new Map(entries)
}

function valuesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))].sort()
}
