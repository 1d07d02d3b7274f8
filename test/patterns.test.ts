import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { checkSync } from 'recheck'
import { parseAst } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { formats as numberFormats } from '../src/adapters/carriers/formats/formats.ts'
import { sandboxNumber } from '../src/adapters/carriers/sandbox-number.ts'
import { pathSchema } from '../src/http/read-input.ts'
import { operations } from '../src/operations.ts'
import { pageTokens } from '../src/orders/page-addresses/hide-tokens.ts'
import type { TSchema } from '../src/platform/foundation/schema.ts'
import { createQuotes } from '../src/privacy/quotes.ts'
import { imageKeyPattern } from '../src/shops/images/schema.ts'
import { slugPattern } from '../src/shops/shops/schema.ts'

const root = join(import.meta.dirname, '..')

/**
 * Patterns that were found safe before and take long to check, by their text. They are not checked again; every other
 * pattern is. With CHECK_ALL_PATTERNS=1 all are checked, and the list is written from the result.
 */
const listFile = join(import.meta.dirname, 'checked-patterns.json')
const listed = JSON.parse(readFileSync(listFile, 'utf8')) as { recheck: string; safe: string[] } // written below
const recheckVersion = (createRequire(import.meta.url)('recheck/package.json') as { version: string }).version
const checksAll = process.env.CHECK_ALL_PATTERNS === '1'
const knownSafe = new Set(checksAll || listed.recheck !== recheckVersion ? [] : listed.safe)
/** By default, recheck ends a search by the clock. Without limits, its result does not depend on the machine's load. */
const unhurried = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null }
/** Patterns that are checked faster are not listed. */
const longCheckMs = 5

interface Pattern {
  source: string
  flags: string
  where: string
}

/**
 * Patterns that are built at run time, by file: all of them, or the most complex one that it can build.
 */
const builtPatterns: Record<string, () => Pick<RegExp, 'source' | 'flags'>[]> = {
  'src/adapters/carriers/sandbox-number.ts': () => [sandboxNumber],
  'src/adapters/carriers/formats/': () => numberFormats.map(({ pattern }) => pattern),
  'src/shops/images/schema.ts': () => [new RegExp(imageKeyPattern)],
  'src/orders/page-addresses/hide-tokens.ts': () => [pageTokens('00000000-0000-0000-0000-000000000000')],
  'src/installation/shop-moves/read-archive.ts': () => [new RegExp(slugPattern)],
  'src/privacy/quotes.ts': () => {
    // Names that overlap themselves and one another, made of separators.
    const address = { name: 'a-a-a-a-a-', street: '- - - - - -', address_line_1: 'a a a a a a', phone: '+(((+' }
    return [new RegExp(createQuotes('a.a.a.a@a.a.a', [{ details: { address } }]).pattern, 'gi')]
  },
}

/** Formats that we define ourselves, in `platform/foundation/schema.ts`; the others are those of TypeBox. */
const ownFormats = new Set(['date-time', 'email', 'uri'])

const sources = ['src', 'web', 'bin'].flatMap((folder) => filesIn(folder))
const nodes = sources.flatMap(({ path, tree }) => nodesOf(tree).map((node) => ({ path, node })))
const schemas = operations.flatMap((operation) =>
  [pathSchema(operation), operation.query, operation.body].flatMap((schema) =>
    schema === undefined ? [] : schemasIn(schema).map((node) => ({ where: operation.name, node })),
  ),
)

beforeAll(() => {
  // There is a faster binary, but not for every platform; the JavaScript version runs everywhere.
  process.env.RECHECK_SYNC_BACKEND = 'pure'
})

describe('patterns', () => {
  it('take time in proportion to the text', () => {
    const patterns = new Map(
      [...literals(), ...built(), ...ofSchemas(), ...ofFormats()].map((pattern) => [
        `/${pattern.source}/${pattern.flags}`,
        pattern,
      ]),
    )
    expect(patterns.size).toBeGreaterThan(200)
    const longToCheck: string[] = []
    const slow = [...patterns].flatMap(([text, { source, flags, where }]) => {
      if (knownSafe.has(text)) return []
      const startMs = performance.now()
      const found = checkSync(source, flags, unhurried)
      if (found.status === 'safe') {
        if (performance.now() - startMs > longCheckMs) longToCheck.push(text)
        return []
      }
      return [`${text} in ${where}: ${found.status === 'vulnerable' ? found.complexity.summary : found.status}`]
    })
    expect(slow).toEqual([])
    if (checksAll) {
      writeFileSync(listFile, `${JSON.stringify({ recheck: recheckVersion, safe: longToCheck.sort() }, null, 2)}\n`)
    }
  })

  it('are found if they are slow', () => {
    const slow = [/^https?:\/\/[^\s/?#]+\S*$/i, /[^\s@]+(?:@|%40)[^\s@]+\.[A-Za-z]{2,}/gi, /\s+$/, /^(a+)+$/]
    expect(slow.map(({ source, flags }) => checkSync(source, flags).status)).toEqual(slow.map(() => 'vulnerable'))
  })

  it('are built at run time only in the files listed here', () => {
    const builders = nodes
      .filter(({ node }) => isNode(node.callee) && node.callee.name === 'RegExp')
      .map(({ path }) => path)
      .filter((path) => !Object.keys(builtPatterns).some((known) => path.startsWith(known)))
    expect(builders).toEqual([])
  })
})

describe('texts with a format or a pattern', () => {
  it('are limited in length, by a maximum or by their pattern', () => {
    const unbounded = schemas.flatMap(({ where, node }) => {
      if (node.format === undefined && node.pattern === undefined) return []
      const hasEnd = node.pattern !== undefined && /^\^[^*+]*\$$/.test(node.pattern)
      return node.maxLength === undefined && !hasEnd ? [`${where}: ${JSON.stringify(node)}`] : []
    })
    expect(unbounded).toEqual([])
  })
})

function literals(): Pattern[] {
  return nodes.flatMap(({ path, node }) => {
    const { regex, key, value } = node
    if (isNode(regex)) return [{ source: String(regex.pattern), flags: String(regex.flags), where: path }]
    // Schemas that no operation shows, such as those of settings.
    const isPattern = node.type === 'Property' && isNode(key) && key.name === 'pattern' && isNode(value)
    return isPattern && typeof value.value === 'string' ? [{ source: value.value, flags: 'u', where: path }] : []
  })
}

function built(): Pattern[] {
  return Object.entries(builtPatterns).flatMap(([where, make]) =>
    make().map(({ source, flags }) => ({ source, flags, where })),
  )
}

function ofSchemas(): Pattern[] {
  return schemas.flatMap(({ where, node }) =>
    [...(node.pattern === undefined ? [] : [node.pattern]), ...Object.keys(node.patternProperties ?? {})].map(
      (source) => ({ source, flags: 'u', where }),
    ),
  )
}

function ofFormats(): Pattern[] {
  const formats = new Set(schemas.flatMap(({ node }) => node.format ?? []))
  return [...formats]
    .filter((format) => !ownFormats.has(format))
    .flatMap((format) => {
      const path = join(root, 'node_modules/typebox/build/format', `${format.replaceAll('-', '_')}.mjs`)
      return nodesOf(parseAst(readFileSync(path, 'utf8'))).flatMap(({ regex }) =>
        isNode(regex) ? [{ source: String(regex.pattern), flags: String(regex.flags), where: `format ${format}` }] : [],
      )
    })
}

type Node = Record<string, unknown>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** All nodes of a syntax tree. */
function nodesOf(tree: unknown): Node[] {
  if (!isNode(tree)) return []
  return [tree, ...Object.values(tree).flatMap(nodesOf)]
}

function filesIn(folder: string): { path: string; tree: unknown }[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const tree = parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('.ts') ? 'ts' : 'js' })
      return { path: relative(root, path), tree }
    })
}

interface StringSchema {
  format?: string
  pattern?: string
  maxLength?: number
  patternProperties?: Record<string, unknown>
}

/** A schema and all its parts. */
function schemasIn(schema: TSchema): StringSchema[] {
  const data = new Set(['examples', 'default', 'enum', 'const'])
  const inner = Object.entries(schema).filter(([name, value]) => !data.has(name) && isNode(value))
  return [schema as StringSchema, ...inner.flatMap(([, value]) => schemasIn(value as TSchema))] // schemas contain schemas
}
