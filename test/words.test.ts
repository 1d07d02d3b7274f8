import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that stop a reader, and what is written instead. */
const avoided: Record<string, string> = {
  whoever: 'the caller, or who it is',
  'under way': 'in progress, in transit, in flight',
  anew: 'again',
  'says so': 'reports it, shows it',
  'what of it': 'the part that',
  'in words': 'as text',
  'carry out': 'dispatch, execute',
  'carried out': 'dispatched, executed',
  'carries out': 'dispatches, executes',
  'no event that there is': 'not a known event',
}
const pattern = new RegExp(`\\b(${Object.keys(avoided).join('|')})\\b`, 'i')

/** "Kinds of value a log may hold" instead of "What may be logged". */
const questions = /\/\*\* (What|Who|Where|Which|Why|When) /

const folders = ['src', 'web', 'packages', 'bin', 'bench', 'test', 'docs/guide', 'deploy', 'examples']
/** Records and released changes stay as they were written; the style guide and this file name the words. */
const others = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** This file, and descriptions of the API, which change with the API only. */
const written = ['test/words.test.ts', 'packages/client/src/schema.ts']

describe('words', () => {
  it('that have a better one are in no comment and no page', () => {
    const files = [...folders.flatMap(filesIn), ...others]
    expect(files.length).toBeGreaterThan(2_000)
    const found = files.flatMap((path) =>
      proseOf(path).flatMap(({ line, text }) => {
        const [word] = pattern.exec(text) ?? []
        return word === undefined ? [] : [`${path}:${line} "${word}": ${avoided[word.toLowerCase()]}`]
      }),
    )
    expect(found).toEqual([])
  })
})

describe('doc comments', () => {
  it('begin as noun phrases or sentences with a subject, not with a question word', () => {
    const found = folders
      .flatMap(filesIn)
      .filter((path) => !path.endsWith('.md'))
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((text, index) => (questions.test(text) ? [`${path}:${index + 1} ${text.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|md|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|dist|fixtures|output)\//.test(path) && !written.includes(path))
}

/** A page as a whole; of code, its comments. */
function proseOf(path: string): { line: number; text: string }[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const numbered = lines.map((text, index) => ({ line: index + 1, text }))
  if (path.endsWith('.md')) return numbered
  return numbered.flatMap(({ line, text }) => {
    const [, comment] = /(?:^|\s)(?:\/\/|\/\*\*?|\*) (.*)$/.exec(text) ?? []
    return comment === undefined ? [] : [{ line, text: comment }]
  })
}
