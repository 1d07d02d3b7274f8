import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../src/platform/store/database.ts'
import type { Dataset } from './lib/dataset.ts'
import type { Driven } from './lib/drive.ts'
import { loadOrders } from './lib/load-orders.ts'
import { measure, Orders } from './lib/measure.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { recordScripts, runPgbench } from './lib/pgbench.ts'
import { type KindName, kindNames } from './lib/requests.ts'
import { startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const connections = 32
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const orderCount = Number(process.env.BENCH_ORDERS ?? 200_000)
const only = new RegExp(process.env.BENCH_ONLY ?? '')
// One page stands for all searches of shipments here; `bench:growth` measures each of them.
const names = kindNames.filter(
  (name) => only.test(name) && (!name.startsWith('shipments') || name === 'shipments, first page'),
)

/** Rates of one kind of request: ours, and what they are compared with. */
interface Row {
  name: KindName
  driven: Driven[]
  compared: number[]
}

const dataset: Dataset = { shops: 20, orders: orderCount, drafts: orderCount / 2, now: new Date() }
console.log(`Node ${process.version}, ${cpus().length} cores, ${dataset.orders} orders in ${dataset.shops} shops`)
if (process.env.BENCH_DATABASE_URL) await onPostgres(process.env.BENCH_DATABASE_URL)
if (process.env.BENCH_EMBEDDED !== '0') await onEmbedded()

async function onPostgres(serverUrl: string): Promise<void> {
  const own = await createOwnDatabase(serverUrl)
  try {
    await load({ databaseUrl: own.url, databasePool: 2, dataDir: '' })
    const orders = new Orders(dataset)
    const scripts = await recordScripts(own.url, orders, names)
    const service = await startServiceProcess({ DATABASE_URL: own.url })
    try {
      await untilJobsHaveCaughtUp(own.url)
      const rows = await measureInTurn(orders, service.port, async (name) => {
        const script = scripts.find(({ kind }) => kind === name)
        return script ? runPgbench(own.url, script, orders, seconds) : Number.NaN
      })
      report('PostgreSQL', 'pgbench, 16 clients', rows)
    } finally {
      await service.stop()
    }
  } finally {
    await own.drop()
  }
}

async function onEmbedded(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  try {
    await load({ databaseUrl: undefined, databasePool: 1, dataDir })
    const orders = new Orders(dataset)
    const service = await startServiceProcess({ DATA_DIR: dataDir })
    try {
      const rows = await measureInTurn(orders, service.port, async (name) =>
        rateOf(await measure(name, orders, { port: service.port, connections: 1, seconds })),
      )
      report('Embedded store', 'one by one', rows)
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function load(config: Parameters<typeof openDatabase>[0]): Promise<void> {
  const startedAt = performance.now()
  const database = await openDatabase(config)
  await loadOrders(database, dataset).finally(() => database.close())
  console.log(`loaded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

/** The first run of the jobs goes through everything that was loaded, which no shop meets a second time. */
async function untilJobsHaveCaughtUp(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    for (let second = 0; second < 120; second += 1) {
      const { rows } = await client.query(`
        select exists (select from figures_progress) and not exists (select from changed_days)
          and (select count(*) from exception_progress where walk_before is null) >= ${dataset.shops} as "haveCaughtUp"`)
      if (rows[0].haveCaughtUp) return
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    throw new Error('the jobs have not caught up in two minutes')
  } finally {
    await client.end()
  }
}

/** Alternates between ours and the compared one, so that other load on the machine affects both alike. */
async function measureInTurn(
  orders: Orders,
  port: number,
  compare: (name: KindName) => Promise<number>,
): Promise<Row[]> {
  const rows = names.map((name): Row => ({ name, driven: [], compared: [] }))
  for (const { name } of rows) await measure(name, orders, { port, connections, seconds: 1 })
  for (let round = 0; round < rounds; round += 1) {
    for (const row of rows) {
      row.driven.push(await measure(row.name, orders, { port, connections, seconds }))
      row.compared.push(await compare(row.name))
    }
  }
  return rows
}

function report(store: string, comparison: string, rows: Row[]): void {
  console.log(`\n${store}, ${connections} connections, median of ${rounds} runs of ${seconds} s each\n`)
  const of = (row: Row, figure: (driven: Driven) => number, digits: number) =>
    median(row.driven.map(figure)).toFixed(digits)
  printTable(
    ['what', 'requests/s', 'p50 ms', 'p99 ms', `${comparison}, /s`, 'ratio', 'load generator, µs', 'failures'],
    rows.map((row) => [
      row.name,
      of(row, rateOf, 0),
      of(row, ({ p50Ms }) => p50Ms, 2),
      of(row, ({ p99Ms }) => p99Ms, 2),
      median(row.compared).toFixed(0),
      // Within one round, so that the load on the machine was the same for both.
      median(row.driven.map((driven, turn) => rateOf(driven) / (row.compared[turn] ?? Number.NaN))).toFixed(2),
      of(row, ({ ownMicroseconds }) => ownMicroseconds, 0),
      String(row.driven.reduce((sum, { failures }) => sum + failures, 0)),
    ]),
  )
}

function rateOf({ requests, seconds }: Driven): number {
  return requests / seconds
}
