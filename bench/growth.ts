import { cpus } from 'node:os'
import { openDatabase } from '../src/platform/store/database.ts'
import type { Dataset } from './lib/dataset.ts'
import { loadOrders, readIntoMemory } from './lib/load-orders.ts'
import { measure, Orders } from './lib/measure.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { type KindName, kindNames, kinds } from './lib/requests.ts'
import { type RunningService, startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const [few, many] = [20_000, Number(process.env.BENCH_SHIPMENTS ?? 2_000_000)]
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: growth is measured on PostgreSQL.')
const only = new RegExp(process.env.BENCH_ONLY ?? '')
const searches = kindNames.filter(
  (name) => kinds[name].about === 'orders' && /^(orders|shipments)\b/.test(name) && only.test(name),
)

/** A database of one size, and a service that uses it. */
interface Size {
  orders: Orders
  service: RunningService
  drop(): Promise<void>
}

console.log(`Node ${process.version}, ${cpus().length} cores, ${few} and ${many} shipments in 20 shops`)
const sizes: Size[] = []
try {
  for (const shipments of [few, many]) sizes.push(await open(shipments))
  report(await measureInTurn())
} finally {
  for (const { service, drop } of sizes) await service.stop().then(drop)
}

async function open(shipments: number): Promise<Size> {
  const dataset: Dataset = { shops: 20, orders: shipments * 0.9, drafts: shipments * 0.1, now: new Date() }
  const own = await createOwnDatabase(serverUrl ?? '', `_${shipments}`)
  try {
    const startedAt = performance.now()
    const database = await openDatabase({ databaseUrl: own.url, databasePool: 2, dataDir: '' })
    try {
      await loadOrders(database, dataset)
      await readIntoMemory(database)
    } finally {
      await database.close()
    }
    console.log(`${shipments} loaded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    const service = await startServiceProcess({ DATABASE_URL: own.url })
    return { orders: new Orders(dataset), service, drop: own.drop }
  } catch (error) {
    await own.drop()
    throw error
  }
}

/** One request at a time, alternating between the sizes: this compares the time of a single search. */
async function measureInTurn(): Promise<Map<KindName, number[][]>> {
  const p50s = new Map(searches.map((name) => [name, sizes.map((): number[] => [])]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, bySize] of p50s) {
      for (const [index, { orders, service }] of sizes.entries()) {
        const { p50Ms } = await measure(name, orders, { port: service.port, connections: 1, seconds })
        // The first round is warm-up for caches and plans.
        if (round > 0) bySize[index]?.push(p50Ms)
      }
    }
  }
  return p50s
}

function report(p50s: Map<KindName, number[][]>): void {
  console.log(`\nFirst pages, 1 connection, median of ${rounds} p50s of ${seconds} s each\n`)
  printTable(
    ['search', `p50 ms at ${few}`, `p50 ms at ${many}`, 'ratio'],
    [...p50s].map(([name, [atFew = [], atMany = []]]) => [
      name,
      median(atFew).toFixed(2),
      median(atMany).toFixed(2),
      (median(atMany) / median(atFew)).toFixed(2),
    ]),
  )
}
