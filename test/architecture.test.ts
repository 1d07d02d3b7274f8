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

/**
 * Which areas each area may import. All may import the foundation. An area is a folder of src/, src/resources/ or web/,
 * or a file of src/ itself. From top to bottom: the composition root, what is called from outside or works in the
 * background, the areas of the product, the way of an event, the ports to other companies, the base. A cycle is broken by
 * moving what both areas need below them, or by a port that the lower area declares.
 */
const allowedImports = readTable(`
  main: config database processes service setup
  migrate: config database
  doctor: config database mail setup
  backup: config database setup vendors resources/images
  processes:
  metrics: deliveries http mail resources/catch-up workers
  service: backup carriers config dashboard widgets database deliveries demo http journey mail marketing metrics operations outgoing setup
    shop-moves telemetry web/mail web/tracking-page workers
    resources/backfills resources/catch-up resources/claims resources/event-feed resources/images resources/imports resources/keys
    resources/mail-templates
    resources/payloads resources/people resources/shop-systems resources/sign-in resources/status resources/team-mail
  setup: config database demo resources/keys resources/sessions
  telemetry: config
  dashboard: bundling
  widgets: bundling
  bundling:

  guide:
  http: bundling dashboard database guide widgets resources/audit-log resources/embedding resources/keys resources/page-addresses resources/payloads resources/sessions resources/shops
  operations: journey shop-moves
    resources/ab-tests resources/analytics resources/announcements resources/attention resources/audit-log
    resources/automations resources/backfills resources/calendar resources/campaigns resources/carriers resources/catch-up
    resources/claim-figures resources/claims resources/connections resources/deals resources/delivery-promises
    resources/delivery-times resources/discounts resources/embedding resources/encryption resources/event-catalogue
    resources/event-feed resources/exceptions resources/exports resources/images
    resources/imports resources/integration-keys resources/integrations resources/keys resources/mail-account
    resources/mail-figures resources/mail-recipients resources/mail-templates resources/notes resources/offers
    resources/page-addresses resources/people resources/privacy resources/products resources/promise-report resources/route-map resources/search
    resources/settings resources/shop-systems resources/shops resources/shopware resources/sign-in resources/status
    resources/team-mail resources/timeline resources/tracking resources/views resources/webhooks resources/withdrawals
  workers: carriers database deliveries journey mail marketing outgoing shop-systems
    resources/analytics resources/audit-log resources/automations resources/backfills resources/catch-up resources/claims
    resources/connections
    resources/customer-mail resources/event-feed resources/exceptions resources/images resources/imports
    resources/integration-keys resources/keys resources/mail-account resources/mail-recipients resources/mail-timing
    resources/order-fetches resources/page-views resources/past-orders resources/payloads resources/people resources/provider-accounts
    resources/sessions resources/settings resources/shop-systems resources/shops resources/shopware resources/sign-in
    resources/team-mail resources/team-reports resources/tracking
  web/dashboard/main: web/dashboard/app web/dashboard/kit web/dashboard/shell web/dashboard/texts
  web/dashboard/early: web/dashboard/app web/dashboard/kit web/dashboard/screens web/dashboard/texts
  web/dashboard/shell: web/dashboard/app web/dashboard/kit web/dashboard/screens web/dashboard/texts
  web/dashboard/screens: web/dashboard/app web/dashboard/kit web/dashboard/texts
  web/dashboard/app: web/dashboard/kit web/dashboard/texts
  web/dashboard/kit: web/dashboard/texts
  web/dashboard/texts:
  web/widgets:
  web/mail: web/tracking-page resources/customer-mail resources/mail-templates resources/settings resources/team-mail
  web/tracking-page: carriers catalogue database journey
    resources/announcements resources/campaigns resources/claims resources/deals resources/embedding resources/images
    resources/mail-account resources/mail-figures resources/mail-recipients resources/offers resources/order-page resources/page-addresses
    resources/page-views resources/route-map resources/settings resources/withdrawals
  demo: carriers catalogue database deliveries journey notifications
    resources/ab-tests resources/announcements resources/automations resources/calendar resources/campaigns
    resources/claims resources/deals resources/delivery-promises resources/delivery-times resources/discounts
    resources/event-feed resources/images resources/imports resources/mail-account resources/mail-templates
    resources/notes
    resources/offers resources/page-addresses resources/people resources/products resources/provider-accounts
    resources/settings resources/shops resources/tracking resources/views resources/webhooks resources/withdrawals

  shop-moves: database resources/audit-log
    resources/event-feed resources/images resources/keys resources/mail-recipients resources/page-addresses resources/people
    resources/shops resources/webhooks

  resources/ab-tests: database journey resources/campaigns resources/offer-versions
  resources/analytics: catalogue deliveries marketing resources/claims
  resources/announcements: database resources/offer-versions
  resources/attention: carriers deliveries marketing
    resources/claims resources/exceptions resources/provider-accounts resources/tracking
  resources/audit-log: database
  resources/automations: database deliveries journey notifications
    resources/claims resources/payloads resources/settings
  resources/backfills: database journey shop-systems resources/past-orders resources/shops resources/tracking
  resources/calendar: calendars
  resources/campaigns: database resources/discounts resources/images resources/offer-versions
  resources/carriers: carriers
  resources/catch-up: database shop-systems resources/past-orders resources/shops
  resources/claim-figures: carriers resources/analytics resources/claims
  resources/claims: carriers database journey notifications resources/audit-log resources/images resources/search
  resources/connections: carriers database deliveries mail marketing outgoing shop-systems vendors
    resources/audit-log resources/catch-up resources/integration-keys resources/keys resources/mail-account resources/order-fetches resources/people
    resources/provider-accounts resources/settings resources/shop-systems resources/shops resources/shopware
  resources/customer-mail: catalogue journey
    resources/campaigns resources/claims resources/mail-account resources/mail-figures resources/mail-recipients
    resources/offers resources/order-page resources/page-addresses resources/payloads resources/settings resources/shops
  resources/deals: database resources/discounts resources/offer-versions resources/shops
  resources/delivery-promises: calendars carriers journey promises resources/calendar
  resources/delivery-times: calendars carriers resources/analytics resources/calendar
  resources/discounts: database resources/offer-versions
  resources/embedding: database journey resources/delivery-promises resources/page-addresses resources/settings
  resources/encryption: database resources/audit-log
  resources/event-catalogue: catalogue
  resources/event-feed: deliveries notifications resources/page-addresses resources/payloads
  resources/exceptions: carriers catalogue database journey resources/notes
  resources/exports:
  resources/images: config database vendors
  resources/imports: database journey
  resources/integration-keys: carriers mail marketing resources/provider-accounts resources/settings resources/shops
  resources/integrations: deliveries mail marketing outgoing
    resources/customer-mail resources/integration-keys resources/mail-account resources/payloads resources/settings
  resources/keys: database resources/shops
  resources/mail-account: database mail resources/integration-keys resources/settings
  resources/mail-figures: resources/analytics resources/mail-account
  resources/mail-timing: carriers deliveries
    resources/customer-mail resources/mail-account resources/mail-figures resources/payloads
  resources/mail-recipients: database resources/settings
  resources/mail-templates: catalogue database mail notifications
    resources/customer-mail resources/mail-account resources/mail-recipients resources/page-addresses resources/payloads
    resources/settings
  resources/notes: database
  resources/offer-versions:
  resources/offers: journey
    resources/ab-tests resources/announcements resources/campaigns resources/deals resources/discounts
    resources/page-addresses resources/products resources/settings
  resources/order-fetches: database shop-systems resources/shops
  resources/order-page: carriers catalogue journey resources/claims resources/offers resources/page-addresses
  resources/page-addresses: database journey
  resources/page-views:
  resources/past-orders: database shop-systems resources/shop-systems resources/shopware
  resources/payloads: catalogue deliveries journey marketing notifications resources/claims resources/page-addresses
  resources/people: database resources/keys resources/sessions resources/shops resources/team-mail
  resources/privacy: database deliveries journey marketing shop-systems
    resources/claims resources/images resources/imports resources/mail-recipients resources/mail-timing
    resources/page-views resources/payloads resources/shop-systems resources/tracking
  resources/products: database
  resources/promise-report: carriers resources/analytics
  resources/provider-accounts: carriers
  resources/route-map: journey
  resources/search: carriers catalogue database journey
  resources/sessions: database
  resources/settings: catalogue database deliveries journey marketing resources/offer-versions
  resources/shop-systems: catalogue database journey shop-systems vendors
    resources/integration-keys resources/order-fetches resources/products resources/settings resources/shops
    resources/tracking
  resources/shops: database resources/settings
  resources/sign-in: config database
    resources/audit-log resources/keys resources/people resources/sessions resources/shops resources/team-mail
  resources/shopware: database shop-systems resources/order-fetches resources/shop-systems
  resources/status: database
  resources/team-mail: carriers database mail resources/mail-account
  resources/team-reports: carriers database
    resources/analytics resources/calendar resources/delivery-times resources/exceptions resources/shops
    resources/team-mail
  resources/timeline: catalogue deliveries journey resources/automations resources/page-views
  resources/tracking: carriers catalogue journey
    resources/integration-keys resources/provider-accounts resources/settings
  resources/views: database
  resources/webhooks: database deliveries notifications resources/payloads
  resources/withdrawals: calendars carriers catalogue database journey notifications
    resources/calendar resources/claims resources/mail-account resources/search

  journey: calendars carriers catalogue database deliveries marketing notifications promises
  notifications: catalogue deliveries
  deliveries: database outgoing

  calendars:
  promises: calendars
  carriers:
  mail: outgoing
  marketing: vendors
  outgoing:
  shop-systems: vendors
  vendors:

  catalogue:
  config:
  database:
  foundation:
`)

describe('imports between areas', () => {
  const areas = [...new Set(files.map(({ path }) => areaOf(path)))].sort()
  const crossing = imports.filter(({ from, to }) => isOurs(to) && areaOf(from) !== areaOf(to))
  const used = graphOf(crossing.map(({ from, to }) => [areaOf(from), areaOf(to)]))

  it('are listed for every area', () => {
    expect([...allowedImports.keys()].sort()).toEqual(areas)
  })

  it('are among those that are allowed', () => {
    const forbidden = crossing.filter(({ from, to }) => {
      const area = areaOf(to)
      return area !== 'foundation' && !allowedImports.get(areaOf(from))?.has(area)
    })
    expect(
      forbidden.map(
        ({ from, line, to }) => `${from}:${line} imports ${to}: ${areaOf(from)} may not import ${areaOf(to)}`,
      ),
    ).toEqual([])
  })

  it('use everything that is allowed', () => {
    const unused = [...allowedImports].flatMap(([area, allowed]) =>
      [...allowed].filter((other) => !used.get(area)?.has(other)).map((other) => `${area} no longer imports ${other}`),
    )
    expect(unused).toEqual([])
  })

  it('form no cycle', () => {
    expect(cyclesIn(used)).toEqual([])
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

  it('bring OpenTelemetry into src/telemetry only, and load it only where traces are wanted', () => {
    expect(
      offences(({ from, to, isTypeOnly, isDynamic }) => {
        if (isIn(to, 'src/telemetry')) return !isIn(from, 'src/telemetry') && !isTypeOnly && !isDynamic
        if (!to.startsWith('@opentelemetry/')) return false
        return !isIn(from, 'src/telemetry') || (!isTypeOnly && !isDynamic)
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

  const providers = ['src/carriers', 'src/marketing', 'src/shop-systems']
  it.each(providers)('of a provider in %s know its port and the foundation alone', (folder) => {
    expect(
      offences(({ from, to }) => {
        if (!to.startsWith('src/')) return false
        const provider = from.slice(folder.length + 1).split('/')
        if (!isIn(from, folder) || provider.length < 2) return false
        const isPort = dirname(to) === folder
        return (
          !isPort && !isIn(to, `${folder}/${provider[0]}`) && !isIn(to, 'src/foundation') && !isIn(to, 'src/vendors')
        )
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
  it('has SQL in stores and in src/database only', () => {
    const query = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/
    expect(linesWith(query, ({ path }) => !isIn(path, 'src/database') && !/(^|\/|-)store\.ts$/.test(path))).toEqual([])
  })

  it('reads the environment in src/config.ts only', () => {
    expect(linesWith(/\bprocess\.env\b/, ({ path }) => path !== 'src/config.ts')).toEqual([])
  })

  it('reads the system time in the clock only', () => {
    // Log lines have the system time, whatever time a test has set.
    const readers = ['src/foundation/clock.ts', 'src/http/log.ts']
    const isMeant = ({ path }: SourceFile) => !readers.includes(path) && !/^web\/(dashboard|widgets)\//.test(path)
    expect(linesWith(/\bnew Date\(\)|\bDate\.now\(\)/, isMeant)).toEqual([])
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

function areaOf(path: string): string {
  const [top = '', folder = '', subfolder = ''] = path.split('/')
  if (folder === 'dashboard' && top === 'web') return `web/dashboard/${subfolder.replace(/\.tsx?$/, '')}`
  if (top === 'web') return `web/${folder}`
  if (folder === 'resources') return `resources/${subfolder}`
  return folder.replace(/\.ts$/, '')
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Reads `area: other areas`; a line without a colon belongs to the row above it. */
function readTable(text: string): Graph {
  const rows = text.trim().split(/\s*\n\s*(?=\S+:)/)
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
