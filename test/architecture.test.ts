import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areas, operations } from '../src/operations.ts'

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

/**
 * The folders of src/ on their floors, and what each may import. The files of src/ itself compose the service: they may
 * import everything, and nothing imports them. All may import the platform, which knows no domain. An import goes down, or
 * sideways to what is listed, never up: what a lower context needs from above comes as a parameter or through a port that it
 * declares.
 */
const floors = `
12  http           access customer-page orders shops webhooks
11  installation   access adapters automations claims credentials delivery figures messages offers orders promises shops tracking webhooks
10  privacy        adapters claims connections delivery figures messages orders shops tracking webhooks
 9  access         messages shops
 9  connections    access adapters credentials delivery orders shops tracking
 9  customer-page  adapters claims credentials customer-view figures messages offers orders promises shops
 8  automations    claims delivery orders shops webhooks
 8  desk           adapters automations claims credentials delivery figures orders tracking
 7  messages       adapters claims credentials customer-view delivery figures offers orders shops tracking webhooks
 6  figures        adapters claims delivery shops
 6  webhooks       adapters claims delivery orders shops
 6  customer-view  adapters claims offers orders
 5  tracking       adapters credentials orders shops
 5  claims         adapters credentials delivery orders shops
 4  credentials    adapters shops
 4  offers         adapters credentials delivery orders shops
 4  promises       adapters orders shops
 3  shops          adapters delivery orders
 2  orders         adapters delivery
 1  delivery
 0  adapters
 0  platform
`

/** Imports allowed between folders of a program: `shell` may import `app`. A program without a table is one folder. */
const programs: Record<string, string> = {
  'web/dashboard': `
    main: app kit shell texts
    early: app kit routes texts
    shell: app kit routes screens texts
    routes: app kit screens
    screens: app kit texts
    app: kit texts
    kit: texts
    texts:
  `,
  'web/widgets': '',
  'packages/client/src': '',
  'packages/cli/src': `
    main: commands environment frame
    commands: frame shop-file
    shop-file: frame
    environment: frame
    frame:
  `,
  'packages/mcp/src': '',
}

describe('the contexts of src/', () => {
  const rows = floors
    .trim()
    .split('\n')
    .map((row) => {
      const [floor = '', context = '', ...allowed] = row.trim().split(/\s+/)
      return { floor: Number(floor), context, allowed: new Set(allowed) }
    })
  const byName = new Map(rows.map((row) => [row.context, row]))
  const crossing = imports.filter(
    ({ from, to }) => isIn(from, 'src') && isIn(to, 'src') && contextOf(from) !== contextOf(to),
  )
  const used = graphOf(crossing.map(({ from, to }) => [contextOf(from), contextOf(to)]))

  it('are the folders of the table', () => {
    const folders = new Set(files.map(({ path }) => contextOf(path)).filter((context) => context !== composition))
    folders.delete('')
    expect([...byName.keys()].sort()).toEqual([...folders].sort())
  })

  it('import what the table allows', () => {
    const forbidden = crossing.filter(({ from, to }) => {
      const context = contextOf(to)
      if (contextOf(from) === composition || context === 'platform') return false
      return !byName.get(contextOf(from))?.allowed.has(context)
    })
    expect(
      forbidden.map(
        ({ from, line, to }) => `${from}:${line} imports ${to}: ${contextOf(from)} may not import ${contextOf(to)}`,
      ),
    ).toEqual([])
  })

  it('never import upwards', () => {
    const upward = rows.flatMap(({ floor, context, allowed }) =>
      [...allowed]
        .filter((other) => (byName.get(other)?.floor ?? Number.POSITIVE_INFINITY) > floor)
        .map((other) => `${context} → ${other}`),
    )
    expect(upward).toEqual([])
  })

  it('use everything that the table allows', () => {
    const unused = rows.flatMap(({ context, allowed }) =>
      [...allowed]
        .filter((other) => !used.get(context)?.has(other))
        .map((other) => `${context} no longer imports ${other}`),
    )
    expect(unused).toEqual([])
  })

  it('form no cycle', () => {
    expect(cyclesIn(used)).toEqual([])
  })

  it('are drawn in ARCHITECTURE.md as they are', () => {
    const map = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const missing = rows.filter(({ context }) => !new RegExp(`^\\s*${context}/`, 'm').test(map))
    expect(missing.map(({ context }) => context)).toEqual([])
  })
})

describe.each(Object.keys(programs))('the folders of %s', (program) => {
  const own = sourceFiles(program).flatMap(importsOf)
  const inside = own.filter(({ to }) => isIn(to, program))
  const allowed = readTable(programs[program] ?? '')
  // Without a table, all of it is one folder.
  const folderOf = (path: string) => {
    // Texts lie with the code that shows them.
    if (/\/texts\.\w+\.json$/.test(path)) return 'texts'
    const [first = ''] = path.slice(program.length + 1).split('/')
    return allowed.size === 0 ? '' : first.replace(/\.tsx?$/, '')
  }

  it('import what the table allows', () => {
    expect(own.length).toBeGreaterThan(0)
    const forbidden = inside.filter(({ from, to }) => {
      const [folder, other] = [folderOf(from), folderOf(to)]
      return folder !== other && !allowed.get(folder)?.has(other)
    })
    expect(forbidden.map(({ from, line, to }) => `${from}:${line} imports ${to}`)).toEqual([])
  })

  it('form no cycle between files, type imports included', () => {
    expect(cyclesIn(graphOf(inside.map(({ from, to }) => [from, to])))).toEqual([])
  })
})

describe('imports', () => {
  it('form no cycle between files, type imports included', () => {
    const ours = imports.filter(({ to }) => isOurs(to))
    expect(cyclesIn(graphOf(ours.map(({ from, to }) => [from, to])))).toEqual([])
  })

  it('of the dashboard are its own files and packages: it uses the API like any other client', () => {
    expect(offences(({ from, to }) => isIn(from, 'web/dashboard') && isOurs(to) && !isIn(to, 'web/dashboard'))).toEqual(
      [],
    )
  })

  it('bring Fastify into src/http only, and its types into the composition root', () => {
    expect(
      offences(({ from, to, isTypeOnly }) => {
        if (to !== 'fastify' && !to.startsWith('@fastify/')) return false
        return !isIn(from, 'src/http') && !(from === 'src/service.ts' && isTypeOnly)
      }),
    ).toEqual([])
  })

  it('bring OpenTelemetry into src/platform/telemetry only, and load it only where traces are wanted', () => {
    expect(
      offences(({ from, to, isTypeOnly, isDynamic }) => {
        if (isIn(to, 'src/platform/telemetry'))
          return !isIn(from, 'src/platform/telemetry') && !isTypeOnly && !isDynamic
        if (!to.startsWith('@opentelemetry/')) return false
        return !isIn(from, 'src/platform/telemetry') || (!isTypeOnly && !isDynamic)
      }),
    ).toEqual([])
  })

  it('bring the tools for agents into src/http only, and load them when an agent comes', () => {
    expect(
      offences(({ from, to, isTypeOnly, isDynamic }) => {
        if (to.startsWith('@modelcontextprotocol/')) return true
        return to === 'doorstep-mcp' && (!isIn(from, 'src/http') || (!isTypeOnly && !isDynamic))
      }),
    ).toEqual([])
  })

  it('of the tools for agents are their own files, the client of the API and the library of the protocol', () => {
    const known = /^(packages\/mcp\/src\/|node:|doorstep-client$|zod$|@modelcontextprotocol\/server)/
    const found = sourceFiles('packages/mcp/src').flatMap(importsOf)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ to }) => !known.test(to)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  const providers = ['src/adapters/carriers', 'src/adapters/marketing', 'src/adapters/shop-systems']
  it.each(providers)('of a provider in %s know its port and the foundation alone', (folder) => {
    expect(
      offences(({ from, to }) => {
        if (!to.startsWith('src/')) return false
        const provider = from.slice(folder.length + 1).split('/')
        if (!isIn(from, folder) || provider.length < 2) return false
        const isPort = dirname(to) === folder
        return (
          !isPort &&
          to !== 'src/adapters/credentials.ts' &&
          !isIn(to, `${folder}/${provider[0]}`) &&
          !isIn(to, 'src/platform/foundation') &&
          !isIn(to, 'src/adapters/vendors')
        )
      }),
    ).toEqual([])
  })

  it('load the code of an adapter only when it is called', () => {
    const described = new Set(
      files.filter(({ path }) => /^src\/adapters\/.*\/description\.ts$/.test(path)).map(({ path }) => dirname(path)),
    )
    expect(described.size).toBeGreaterThan(0)
    expect(
      offences(({ to, isTypeOnly, isDynamic }) => {
        return to.endsWith('/adapter.ts') && described.has(dirname(to)) && !isTypeOnly && !isDynamic
      }),
    ).toEqual([])
  })

  it('name files that are there, with their endings', () => {
    const known = new Set(files.map(({ path }) => path))
    expect(offences(({ to }) => isOurs(to) && !known.has(to) && !/\.json(\?(first|later))?$/.test(to))).toEqual([])
  })
})

describe('packages/cli', () => {
  const own = sourceFiles('packages/cli/src')

  it('knows the API through its client, and nothing of the server', () => {
    const known = /^(packages\/cli\/|node:|(doorstep-client|doorstep-mcp|yaml)(\/|$))/
    const foreign = own.flatMap(importsOf).filter(({ to }) => !known.test(to))
    expect(foreign.map(({ from, line, to }) => `${from}:${line} imports ${to}`)).toEqual([])
  })

  it('loads what serves agents only for them', () => {
    const loading = own.flatMap(importsOf).filter(({ to, isDynamic }) => to.startsWith('doorstep-mcp') && !isDynamic)
    expect(loading.map(({ from, line }) => `${from}:${line}`)).toEqual([])
  })

  it('reads the environment and the process in one place', () => {
    const isMeant = ({ path }: SourceFile) => path !== 'packages/cli/src/environment.ts'
    expect(linesWith(/\bprocess\.(env|argv|stdin|stdout|stderr)\b|\bDate\.now\(\)/, isMeant, own)).toEqual([])
  })
})

describe('source', () => {
  it('has SQL in stores and in src/platform/store only', () => {
    const query = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/
    expect(
      linesWith(query, ({ path }) => !isIn(path, 'src/platform/store') && !/(^|\/|-)store\.ts$/.test(path)),
    ).toEqual([])
  })

  it('reads the environment in src/platform/config/config.ts only', () => {
    expect(linesWith(/\bprocess\.env\b/, ({ path }) => path !== 'src/platform/config/config.ts')).toEqual([])
  })

  it('reads the system time in the clock only', () => {
    // Log lines have the system time, whatever time a test has set.
    const readers = ['src/platform/foundation/clock.ts', 'src/http/log.ts']
    const isMeant = ({ path }: SourceFile) => !readers.includes(path) && !/^web\/(dashboard|widgets)\//.test(path)
    expect(linesWith(/\bnew Date\(\)|\bDate\.now\(\)/, isMeant)).toEqual([])
  })

  it('mounts every operation that it declares, in a section of the API reference', () => {
    const found = files
      .filter(({ path }) => /^src\/.+operations\.ts$/.test(path) && contextOf(path) !== composition)
      .flatMap(({ path, lines }) =>
        lines.flatMap((line) => {
          const [, name] = /^export const (\w+)/.exec(line) ?? []
          return name === undefined ? [] : [{ name, list: `src/${contextOf(path)}/api.ts` }]
        }),
      )
    expect(found.length).toBeGreaterThan(250)
    const listed = new Map(
      files.map(({ path, lines }) => [path, new Set(lines.join('\n').split(' = [')[1]?.match(/\w+/g))]),
    )
    expect(found.filter(({ name, list }) => !listed.get(list)?.has(name))).toEqual([])
    expect(operations.map(({ name }) => name).sort()).toEqual([...new Set(operations.map(({ name }) => name))].sort())
    expect(operations.filter(({ area }) => !areas.includes(area)).map(({ name }) => name)).toEqual([])
  })

  it('has named exports only', () => {
    expect(linesWith(/^export default\b/, () => true)).toEqual([])
  })
})

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.([jt]s|tsx)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/\/(node_modules|dist)\//.test(path))
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

function isOurs(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('web/')
}

const composition = 'composition'

/** `orders` for all that is in src/orders; the files of src/ itself compose the others. */
function contextOf(path: string): string {
  const [top = '', folder = '', file] = path.split('/')
  if (top !== 'src') return ''
  return file === undefined ? composition : folder
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Reads `area: other areas`; a line without a colon belongs to the row above it. */
function readTable(text: string): Graph {
  const rows = text.trim() === '' ? [] : text.trim().split(/\s*\n\s*(?=\S+:)/)
  return new Map(
    rows.map((row) => {
      const [area = '', others = ''] = row.split(':')
      return [area, new Set(others.split(/\s+/).filter((name) => name !== ''))]
    }),
  )
}

function graphOf(edges: [from: string, to: string][]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** The shortest cycle through each node that is in one, each cycle once: `a → b → a`. */
function cyclesIn(graph: Graph): string[] {
  const cycles = [...graph.keys()].map((node) => shortestCycle(graph, node))
  return [...new Set(cycles.filter((cycle) => cycle !== undefined).map(fromSmallest))].sort()
}

function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return path
      if (seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return undefined
}

/** The same cycle is written the same way, wherever it was entered. */
function fromSmallest(cycle: string[]): string {
  const smallest = cycle.indexOf(cycle.toSorted()[0] ?? '')
  const rotated = [...cycle.slice(smallest), ...cycle.slice(0, smallest)]
  return [...rotated, ...rotated.slice(0, 1)].join(' → ')
}

function linesWith(pattern: RegExp, isMeant: (file: SourceFile) => boolean, among = files): string[] {
  return among
    .filter(isMeant)
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )
}
