import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Import {
  /** The importing file, from the root: `src/http/mount.ts`. */
  from: string
  line: number
  /** The imported file, from the root, or the name of a package. */
  to: string
  isTypeOnly: boolean
  /** Loaded when the line runs, not with the file. */
  isDynamic: boolean
}

interface SourceFile {
  path: string
  /** Without comments, line by line. */
  lines: string[]
}

const files = [...sourceFiles('src'), ...sourceFiles('web')]
const imports = files.flatMap(importsOf)

/** What each part of src may import, besides itself and packages. What stands left of another never is imported by it. */
const product = ['src/resources', 'src/notifications', 'src/carriers', 'src/marketing', 'src/shop-systems', 'src/i18n']
const mayImport: Record<string, string[]> = {
  'src/foundation': [],
  'src/database': ['src/foundation'],
  'src/i18n': ['src/foundation'],
  'src/carriers': ['src/foundation'],
  'src/marketing': ['src/foundation'],
  'src/shop-systems': ['src/foundation'],
  'src/resources': [...product, 'src/database', 'src/foundation'],
  'src/notifications': [...product, 'src/database', 'src/foundation'],
  'src/http': [...product, 'src/database', 'src/foundation'],
  'src/workers': [...product, 'src/database', 'src/foundation'],
  'web/tracking-page': [
    'src/resources',
    'src/notifications',
    'src/carriers',
    'src/i18n',
    'src/database',
    'src/foundation',
  ],
  'src/telemetry': ['src/foundation'],
  'src/demo': [...product, 'src/database', 'src/foundation'],
  'src/setup': [...product, 'src/database', 'src/foundation', 'src/config.ts', 'src/demo'],
  'src/config.ts': ['src/foundation'],
  'src/operations.ts': ['src/resources', 'src/foundation'],
}
/** They put the service together, so they may import all of it. */
const compositionRoots = ['src/main.ts', 'src/service.ts']

describe('imports', () => {
  it('point one way: from the service to http and workers, the product, the database, the foundation', () => {
    expect(
      offences(({ from, to, isTypeOnly }) => {
        if (!to.startsWith('src/') && !to.startsWith('web/')) return false
        if (compositionRoots.includes(from)) return to === 'src/main.ts'
        const part = partOf(from)
        if (isIn(to, part)) return false
        // The shape of the tables is part of every context.
        if (part === 'src/foundation' && isTypeOnly && to === 'src/database/tables.ts') return false
        // What a setting looks like may be known anywhere; its value is handed in.
        if (isTypeOnly && to === 'src/config.ts') return false
        // What the welcome tells is the started service; only its shape is known there.
        if (part === 'src/setup' && isTypeOnly && (to === 'src/service.ts' || isIn(to, 'src/demo'))) return false
        return !(mayImport[part] ?? []).some((allowed) => isIn(to, allowed))
      }),
    ).toEqual([])
  })

  it('bring Fastify into src/http only, and its types into the composition root', () => {
    expect(
      offences(({ from, to, isTypeOnly }) => {
        if (to !== 'fastify' && !to.startsWith('@fastify/')) return false
        return !isIn(from, 'src/http') && !(from === 'src/service.ts' && isTypeOnly)
      }),
    ).toEqual([])
  })

  it('bring OpenTelemetry into src/telemetry only, and load it only where traces are wanted', () => {
    expect(
      offences(({ from, to, isTypeOnly, isDynamic }) => {
        if (isIn(to, 'src/telemetry')) return !isIn(from, 'src/telemetry') && !isTypeOnly && !isDynamic
        if (!to.startsWith('@opentelemetry/')) return false
        return !isIn(from, 'src/telemetry') || (!isTypeOnly && !isDynamic)
      }),
    ).toEqual([])
  })

  const providers = ['src/carriers', 'src/marketing', 'src/shop-systems']
  it.each(providers)('of a provider in %s know its port and the foundation alone', (folder) => {
    expect(
      offences(({ from, to }) => {
        if (!to.startsWith('src/')) return false
        const provider = from.slice(folder.length + 1).split('/')
        if (!isIn(from, folder) || provider.length < 2) return false
        const isPort = dirname(to) === folder
        return !isPort && !isIn(to, `${folder}/${provider[0]}`) && !isIn(to, 'src/foundation')
      }),
    ).toEqual([])
  })

  it('name files that are there, with their endings', () => {
    const known = new Set(files.map(({ path }) => path))
    expect(offences(({ to }) => /^(src|web)\//.test(to) && !known.has(to) && !to.endsWith('.json'))).toEqual([])
  })
})

describe('source', () => {
  it('has SQL in stores and in src/database only', () => {
    const query = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/
    expect(linesWith(query, ({ path }) => !isIn(path, 'src/database') && !/(^|\/|-)store\.ts$/.test(path))).toEqual([])
  })

  it('reads the environment in src/config.ts only', () => {
    expect(linesWith(/\bprocess\.env\b/, ({ path }) => path !== 'src/config.ts')).toEqual([])
  })

  it("reads the machine's time in the clock only", () => {
    // The log writes when it is told, whatever time a test has set.
    const askers = ['src/foundation/clock.ts', 'src/http/log.ts']
    expect(linesWith(/\bnew Date\(\)|\bDate\.now\(\)/, ({ path }) => !askers.includes(path))).toEqual([])
  })

  it('has named exports only', () => {
    expect(linesWith(/^export default\b/, () => true)).toEqual([])
  })
})

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, lines: withoutComments(readFileSync(join(root, path), 'utf8')).split('\n') }))
}

/** Comments become blanks, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')
}

function importsOf({ path, lines }: SourceFile): Import[] {
  const text = lines.join('\n')
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?([^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...statements].map((match) => {
    const [, type, bindings = '', fixed, dynamic] = match
    const target = fixed ?? dynamic ?? ''
    return {
      from: path,
      line: text.slice(0, match.index).split('\n').length,
      to: target.startsWith('.') ? join(dirname(path), target).replaceAll('\\', '/') : target,
      isTypeOnly: type !== undefined || isTypesOnly(bindings),
      isDynamic: dynamic !== undefined,
    }
  })
}

/** `{ type A, type B } from`: nothing of it is left when it runs. */
function isTypesOnly(bindings: string): boolean {
  const names = /\{([^}]*)\}/.exec(bindings)?.[1]?.split(',') ?? []
  const given = names.map((name) => name.trim()).filter((name) => name !== '')
  return given.length > 0 && given.every((name) => name.startsWith('type '))
}

function offences(isOffence: (found: Import) => boolean): string[] {
  return imports.filter(isOffence).map(({ from, line, to }) => `${from}:${line} imports ${to}`)
}

function isIn(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}/`)
}

function partOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

function linesWith(pattern: RegExp, isMeant: (file: SourceFile) => boolean): string[] {
  return files
    .filter(isMeant)
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )
}
