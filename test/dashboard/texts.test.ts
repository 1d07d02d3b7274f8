import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from '../../web/dashboard/routes/pages.ts'
import { laterTexts } from '../../web/dashboard/texts/parts.ts'

type Texts = { [name: string]: string | Texts }

const root = join(import.meta.dirname, '..', '..', 'web', 'dashboard')
const paths = readdirSync(root, { recursive: true, withFileTypes: true })
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
const languages = ['en', 'de'] as const
const folders = foldersIn('en')

/** Every text by the folder of its file, and by its key. */
const textsIn = {
  en: new Map(folders.map((folder) => [folder, flatten(read(folder, 'en'))])),
  de: new Map(folders.map((folder) => [folder, flatten(read(folder, 'de'))])),
}
const folderOf = new Map(
  [...textsIn.en].flatMap(([folder, texts]) => [...texts.keys()].map((key): [string, string] => [key, folder])),
)
const sources = new Map(
  paths.filter((path) => /\.tsx?$/.test(path)).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

describe('texts of the dashboard', () => {
  it('are in a file of each language, in every folder that has any', () => {
    expect(folders.length).toBeGreaterThan(25)
    for (const language of languages) expect(foldersIn(language), language).toEqual(folders)
  })

  it.each(folders)('in %s are the same in both languages, with the same values', (folder) => {
    const [english, german] = languages.map((language) => textsIn[language].get(folder) ?? new Map<string, string>())
    expect([...(german?.keys() ?? [])]).toEqual([...(english?.keys() ?? [])])
    for (const [key, text] of german ?? []) {
      // A singular may say "a parcel" instead of "{count} parcel".
      if (key.endsWith('.one') && isPluralForm(key)) continue
      expect(valuesOf(text), key).toEqual(valuesOf(english?.get(key) ?? ''))
    }
  })

  it.each(languages)('in %s are neither empty nor padded', (language) => {
    const all = [...textsIn[language].values()].flatMap((texts) => [...texts])
    expect(all.length).toBeGreaterThan(2_500)
    expect(all.filter(([, text]) => text === '' || text !== text.trim())).toEqual([])
  })

  it('are in one file only, and under a name that has no texts below it', () => {
    const keys = [...textsIn.en.values()].flatMap((texts) => [...texts.keys()])
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    const above = new Set(keys.flatMap((key) => key.split('.').map((_, at, parts) => parts.slice(0, at).join('.'))))
    expect(keys.filter((key) => above.has(key))).toEqual([])
  })

  it('are all used: those of a screen by the code beside them, the others anywhere', () => {
    const unused = [...textsIn.en].flatMap(([folder, texts]) => {
      const beside = [...sources].filter(([path]) => !folder.startsWith('screens/') || path.startsWith(`${folder}/`))
      const used = usesOf(beside.map(([, source]) => source))
      return [...texts.keys()].filter((key) => !used(key)).map((key) => `${folder}: ${key}`)
    })
    expect(unused).toEqual([])
  })
})

describe('texts that are loaded later', () => {
  const later = Object.keys(laterTexts)
  const isNamed = (folder: string) => Object.hasOwn(laterTexts, folder)

  it('are those that are not part of every visit', async () => {
    for (const language of languages) {
      const { first } = (await import(join(root, 'texts', 'first', `${language}.ts`))) as { first: readonly Texts[] }
      const always = folders.filter((folder) => !isNamed(folder))
      const keysOf = (texts: readonly Texts[]) => texts.flatMap((each) => [...flatten(each).keys()]).sort()
      expect(keysOf(first), language).toEqual(keysOf(always.map((folder) => read(folder, language))))
    }
  })

  it.each(Object.entries(laterTexts))('from %s are loaded in the language of the reader', async (folder, load) => {
    for (const language of languages) expect((await load[language]()).default).toEqual(read(folder, language))
  })

  it('are named by the pages that use them, and by no others', () => {
    const needed = Object.entries(pages).map(([pattern, { screen, texts }]) => ({
      pattern,
      given: [...texts].sort(),
      used: foldersUsedFrom(`screens/${screen}.tsx`).filter(isNamed),
    }))
    expect(needed.filter(({ given, used }) => given.join() !== used.join())).toEqual([])
    expect([...new Set(needed.flatMap(({ given }) => given))].sort()).toEqual(later.sort())
  })

  it('are not used by what surrounds every page', () => {
    expect(foldersUsedFrom('main.tsx').filter(isNamed)).toEqual([])
  })

  /** The folders whose texts a module and everything that it loads, now or later, may show. */
  function foldersUsedFrom(entry: string): string[] {
    const found = new Set([entry])
    // Entries that are added during the loop are visited, too. The screens are the pages' own.
    for (const path of found) {
      for (const [, to = ''] of (sources.get(path) ?? '').matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g)) {
        const next = join(dirname(path), to).replaceAll('\\', '/')
        if (next !== 'routes/screens.ts') found.add(next)
      }
    }
    const used = usesOf([...found].map((path) => sources.get(path) ?? ''))
    return [...new Set([...folderOf].filter(([key]) => used(key)).map(([, folder]) => folder))].sort()
  }
})

/** Whether code names a key, as a whole or with an end that comes from data: `phase.${phase}`. */
function usesOf(code: readonly string[]): (key: string) => boolean {
  const text = code.join('\n')
  const whole = new Set([...text.matchAll(/'([a-z_]+\.[\w.]+)'/g)].map(([, key]) => key))
  const beginnings = new Set([...text.matchAll(/(?<!problems\[)`([a-z_][\w.]*[._])\$\{/g)].map(([, key]) => key))
  return (key) => {
    const stem = isPluralForm(key) ? key.replace(/\.\w+$/, '') : key
    const parts = stem.split(/(?<=[._])/)
    return whole.has(stem) || parts.some((_, at) => at > 0 && beginnings.has(parts.slice(0, at).join('')))
  }
}

function isPluralForm(key: string): boolean {
  const [, stem] = /^(.*)\.(?:one|other)$/.exec(key) ?? []
  return stem !== undefined && folderOf.has(`${stem}.one`) && folderOf.has(`${stem}.other`)
}

function foldersIn(language: string): string[] {
  return paths
    .filter((path) => path.endsWith(`/texts.${language}.json`))
    .map((path) => dirname(path))
    .sort()
}

function read(folder: string, language: string): Texts {
  return JSON.parse(readFileSync(join(root, folder, `texts.${language}.json`), 'utf8')) as Texts
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
