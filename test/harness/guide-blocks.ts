import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { type BlockInfo, readInfo } from '../../src/http/guide/render.ts'
import type { ShellSession } from './shell-session.ts'

export const guideFolder = new URL('../../docs/guide/', import.meta.url)

/** A fenced block of a page, with what its fence says about it. */
export interface Block extends BlockInfo {
  page: string
  /** In the file, of its fence. */
  line: number
  text: string
}

export const guidePages = readdirSync(guideFolder)
  .filter((name) => name.endsWith('.md'))
  .sort()

/** The blocks of a page of the guide, or of another file from there. */
export function blocksOf(page: string): Block[] {
  const markdown = readFileSync(new URL(page, guideFolder), 'utf8')
  let line = 1
  return new Marked().lexer(markdown).flatMap((token) => {
    const at = line
    line += token.raw.split('\n').length - 1
    if (token.type !== 'code') return []
    const { lang = '', text } = token as Tokens.Code // marked names its tokens by their types
    return [{ ...readInfo(lang), page, line: at, text }]
  })
}

/** The values that a reader has to replace: the key; and ports, if they are in use, as they may be during tests. */
export interface Replacements {
  apiKey: string
  ports: Readonly<Record<string, number>>
}

export function replaced(text: string, { apiKey, ports }: Replacements): string {
  return text
    .replaceAll(/\b(8080|300[0-2])\b/g, (port) => String(ports[port] ?? port))
    .replaceAll("'dsk_…'", `'${apiKey}'`)
}

/** Whether a program is there: `if=php` stands for what only works with it. */
function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}

/** Follows a page from top to bottom, as a reader with a terminal in this folder would. */
export async function followPage(
  page: string,
  session: ShellSession,
  folder: string,
  replacements: Replacements,
): Promise<void> {
  const missing = new Set(['python3', 'php'].filter((program) => !isInstalled(program)))
  for (const block of blocksOf(page)) {
    if (missing.has(block.fields.get('if') ?? '')) continue
    const text = replaced(block.text, replacements)
    const file = block.fields.get('file')
    if (file !== undefined) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), `${text}\n`)
    } else if (block.words.includes('run') || block.words.includes('key')) {
      await session.run(block.words.includes('fails') ? `{ ${text}\n} || true` : text).catch((error: Error) => {
        throw new Error(`${page}:${block.line} ${error.message}`)
      })
    } else if (block.words.includes('output')) {
      await session.expectLines(text.split('\n')).catch((error: Error) => {
        throw new Error(`${page}:${block.line} ${error.message}`)
      })
    }
  }
}
