import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Splits the texts of a language, which are one file for translators: `de.json?first` has what every visit may need,
 * `de.json?later` the sections of screens that are opened less often, which load it with them. All of it at once would be a
 * fifth of the first load.
 */
export function splitTexts(folder: string): Plugin {
  return {
    name: 'split texts',
    resolveId: (source) =>
      /\.json\?(?:first|later)$/.test(source) ? prefix + source.replace(/^.*\//, 'texts/') : null,
    async load(id) {
      const name = partOfTexts(id)
      if (name === undefined) return null
      const [file = '', part] = name.split('?')
      const texts = await readJson<Record<string, unknown>>(join(folder, file))
      const later = new Set((await readLaterTexts(folder)).sections)
      const chosen = Object.entries(texts).filter(([section]) => later.has(section) === (part === 'later'))
      return { code: JSON.stringify(Object.fromEntries(chosen)), moduleType: 'json' }
    },
  }
}

/** Bundlers leave modules alone whose names begin like this. */
const prefix = '\0'

/** The name of a part of the texts, `texts/de.json?first`, if a module is one. */
export function partOfTexts(id: string): string | undefined {
  return id.startsWith(`${prefix}texts/`) ? id.slice(prefix.length) : undefined
}

export interface LaterTexts {
  /** Sections of the texts. */
  sections: string[]
  /** Folders of the screens that load them. */
  screens: string[]
}

/** None, where there is no such file. */
export async function readLaterTexts(folder: string): Promise<LaterTexts> {
  const path = join(folder, 'later-texts.json')
  return existsSync(path) ? readJson(path) : { sections: [], screens: [] }
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content // our own files
}
