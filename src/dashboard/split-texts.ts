import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Splits the texts of a language, which are one file for translators: `texts:de/first` has what every visit may need,
 * `texts:de/claims` the sections that the screens in `claims` load with them. All of it at once would be a fifth of the
 * first load.
 */
export function splitTexts(folder: string): Plugin {
  return {
    name: 'split texts',
    resolveId: (source) => {
      const [, language, part] = /^texts:(\w+)\/([\w-]+)$/.exec(source) ?? []
      return language === undefined ? null : `${prefix}texts/${language}.json?${part}`
    },
    async load(id) {
      const name = partOfTexts(id)
      if (name === undefined) return null
      const [file = '', part = ''] = name.split('?')
      const texts = await readJson<Record<string, unknown>>(join(folder, file))
      const later = await readLaterTexts(folder)
      const isIn = (section: string) => later[part]?.includes(section) ?? !Object.values(later).flat().includes(section)
      const chosen = Object.entries(texts).filter(([section]) => isIn(section))
      return { code: JSON.stringify(Object.fromEntries(chosen)), moduleType: 'json' }
    },
  }
}

/** Bundlers leave modules alone whose names begin like this. */
const prefix = '\0'

/** The name of a part of the texts, `texts/de.json?claims`, if a module is one. */
export function partOfTexts(id: string): string | undefined {
  return id.startsWith(`${prefix}texts/`) ? id.slice(prefix.length) : undefined
}

/** The sections that are loaded later, by the folder of the screens that load them. */
export type LaterTexts = Record<string, string[]>

/** None, where there is no such file. */
export async function readLaterTexts(folder: string): Promise<LaterTexts> {
  const path = join(folder, 'later-texts.json')
  return existsSync(path) ? readJson(path) : {}
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content // our own files
}
