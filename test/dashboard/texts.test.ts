import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { LaterTexts } from '../../src/dashboard/split-texts.ts'

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

describe('texts that are loaded later', () => {
  const later = JSON.parse(readFileSync(`${folder}later-texts.json`, 'utf8')) as LaterTexts
  const sections = [...new Set(Object.values(later).flat())]
  const loadsLater = /afterTexts\('([\w-]+)', \(\) => import\('\.\.\/\.\.\/([^']+)'\)\)/g
  const routes = readdirSync(`${folder}shell/routes`).map((file) =>
    readFileSync(`${folder}shell/routes/${file}`, 'utf8'),
  )
  const loading = [...routes.join('\n').matchAll(loadsLater)].map(([, part = '', path = '']) => ({ part, path }))

  it('are sections of the texts', () => {
    expect(sections.filter((section) => !Object.hasOwn(read('en.json'), section))).toEqual([])
  })

  it('are loaded by the screens of their folder', () => {
    expect([...new Set(loading.map(({ part }) => part))].sort()).toEqual(Object.keys(later))
    expect(loading.filter(({ part, path }) => !path.startsWith(`screens/${part}/`))).toEqual([])
  })

  it('can be loaded in every language', () => {
    const parts = readFileSync(`${folder}texts/parts.ts`, 'utf8')
    for (const language of ['en', 'de']) {
      const known = [...parts.matchAll(/import\('texts:(\w+)\/([\w-]+)'\)/g)].filter(([, of]) => of === language)
      expect(known.map(([, , part]) => part)).toEqual(Object.keys(later))
    }
  })

  it('are used only by screens that load them first', () => {
    const entrances = [{ part: '', path: 'main.tsx' }, ...loading]
    expect(loading.length).toBeGreaterThan(40)
    const misplaced = entrances.flatMap(({ part, path: entry }) =>
      modulesLoadedFrom(entry).flatMap(({ path, source }) =>
        sections
          .filter((section) => !later[part]?.includes(section))
          .filter((section) => new RegExp(`['\`]${section}\\.[a-z_$]`).test(source))
          .map((section) => `${entry} loads ${path}: ${section}`),
      ),
    )
    expect(misplaced).toEqual([])
  })

  /** Every module that is loaded from this one on, now or later, without other texts. */
  function modulesLoadedFrom(entry: string): { path: string; source: string }[] {
    const found = new Map<string, string>()
    const visit = (path: string) => {
      if (found.has(path)) return
      const source = readFileSync(path, 'utf8').replaceAll(loadsLater, '')
      found.set(path, source)
      for (const [, to = ''] of source.matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g)) visit(join(dirname(path), to))
    }
    visit(join(folder, entry))
    return [...found].map(([path, source]) => ({ path: path.slice(folder.length), source }))
  }
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
