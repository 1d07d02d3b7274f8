import { cpus } from 'node:os'
import { rollUpFigures } from '../src/figures/analytics/roll-up.ts'
import type { Context } from '../src/platform/foundation/context.ts'
import { type Database, openDatabase } from '../src/platform/store/database.ts'
import { evaluateExceptions } from '../src/tracking/exceptions/evaluate.ts'
import { type Dataset, firstOrder, shopNumber, shopSlug } from './lib/dataset.ts'
import { loadActivity } from './lib/load-activity.ts'
import { loadOrders, readIntoMemory } from './lib/load-orders.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { authorization, type RunningService, startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const [few, many] = [20_000, Number(process.env.BENCH_SHIPMENTS ?? 2_000_000)]
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: the dashboard is measured on PostgreSQL.')

/** The requests of the dashboard's first screens. */
const requests: [name: string, path: string][] = [
  ['figures', '/analytics/summary'],
  ['Home: figures with the period before', '/analytics/summary?compare=true'],
  ['delivery times by carrier', '/analytics/delivery-times'],
  ['delivery times by everything', '/analytics/delivery-times?group_by=carrier,country,service,week'],
  ['parcels behind a figure', '/analytics/delivery-times/parcels?carrier=ups&country=AT&outcome=late'],
  ['Home: what needs attention', '/attention'],
  ['exceptions, first page', '/exceptions'],
  ['search by order number', `/search?q=${firstOrder + 4_711}`],
  ['search by the beginning of an e-mail address', '/search?q=customer-100000001'],
]

/** A database with one shop, and a service that uses it. */
interface Size {
  url: string
  service: RunningService
  drop(): Promise<void>
}

console.log(`Node ${process.version}, ${cpus().length} cores, ${few} and ${many} shipments of 60 days in one shop`)
const sizes: Size[] = []
try {
  for (const shipments of [few, many]) sizes.push(await open(shipments))
  const present = await findPresent()
  report(await measureInTurn(present))
} finally {
  for (const { service, drop } of sizes) await service.stop().then(drop)
}

async function open(shipments: number): Promise<Size> {
  const [orders, drafts] = [shipments * 0.99, shipments * 0.01]
  const dataset: Dataset = { shops: 1, orders, drafts, now: new Date(), spreadDays: 59, isDelivered: true }
  const own = await createOwnDatabase(serverUrl ?? '', `_${shipments}`)
  try {
    const database = await openDatabase({ databaseUrl: own.url, databasePool: 2, dataDir: '' })
    try {
      const loadedMs = await timeOf(async () => {
        await loadOrders(database, dataset)
        await loadActivity(database, dataset)
      })
      const countedMs = await timeOf(() => countAllDays(database))
      const evaluatedMs = await timeOf(() => evaluateAllParcels(database))
      await readIntoMemory(database)
      const [loaded, counted, evaluated] = [loadedMs, countedMs, evaluatedMs].map((ms) => (ms / 1_000).toFixed(1))
      console.log(`${shipments} loaded in ${loaded} s; all days counted in ${counted} s, exceptions in ${evaluated} s`)
    } finally {
      await database.close()
    }
    const service = await startServiceProcess({ DATABASE_URL: own.url })
    const url = `http://127.0.0.1:${service.port}/v1/shops/${shopSlug(shopNumber(dataset, firstOrder))}`
    return { url, service, drop: own.drop }
  } catch (error) {
    await own.drop()
    throw error
  }
}

/** A run of the job ends after ten seconds. */
async function countAllDays({ db }: Database): Promise<void> {
  const remaining = () => db.selectFrom('changed_days').select('day').limit(1).executeTakeFirst()
  do await rollUpFigures({ db, now: new Date() })
  while (await remaining())
}

/** A run of the job takes 10,000 parcels of a shop. */
async function evaluateAllParcels({ db }: Database): Promise<void> {
  const now = new Date()
  const remaining = () =>
    db.selectFrom('exception_progress').where('walk_before', 'is not', null).select('shop_id').executeTakeFirst()
  do
    await evaluateExceptions({ db, now } as Context) // it needs nothing else
  while (await remaining())
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Leaves out requests that this version of the service does not have. */
async function findPresent(): Promise<typeof requests> {
  const present: typeof requests = []
  for (const [name, path] of requests) {
    const { status } = await get(sizes[0]?.url + path)
    if (status === 404) console.log(`skipped, because there is no ${path}: ${name}`)
    else present.push([name, path])
  }
  return present
}

async function get(url: string): Promise<{ status: number }> {
  const response = await fetch(url, { headers: { authorization } })
  const text = await response.text()
  if (!response.ok && response.status !== 404) throw new Error(`${url}: ${text}`)
  return response
}

/** One request at a time, alternating between the sizes. */
async function measureInTurn(present: typeof requests): Promise<Map<string, number[][]>> {
  const p50s = new Map(present.map(([name]) => [name, sizes.map((): number[] => [])]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, path] of present) {
      for (const [index, { url }] of sizes.entries()) {
        const p50 = await measure(url + path)
        // The first round is warm-up for caches and plans.
        if (round > 0) p50s.get(name)?.[index]?.push(p50)
      }
    }
  }
  return p50s
}

async function measure(url: string): Promise<number> {
  const times: number[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) times.push(await timeOf(() => get(url)))
  return median(times)
}

function report(p50s: Map<string, number[][]>): void {
  console.log(`\n1 connection, median of ${rounds} p50s of ${seconds} s each\n`)
  printTable(
    ['request', `p50 ms at ${few}`, `p50 ms at ${many}`, 'ratio'],
    [...p50s].map(([name, [atFew = [], atMany = []]]) => [
      name,
      median(atFew).toFixed(2),
      median(atMany).toFixed(2),
      (median(atMany) / median(atFew)).toFixed(2),
    ]),
  )
}
