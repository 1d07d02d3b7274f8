import { cpus } from 'node:os'
import pg from 'pg'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { backendsOf, cpuSeconds, processTree } from './lib/proc.ts'
import { nextMessage, sendAndWait, startProcess } from './lib/processes.ts'
import { startServiceProcess } from './lib/service.ts'
import { printTable } from './table.ts'

const count = Number(process.env.BENCH_COUNT ?? 2_000)
const warmUp = Math.ceil(count / 4)
const connections = 16
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: the cost is measured on PostgreSQL.')

console.log(`Node ${process.version}, ${cpus().length} cores, ${count} of each, ${connections} at a time`)
const own = await createOwnDatabase(serverUrl, '_cost')
const service = await startServiceProcess({ DATABASE_URL: own.url }, 'all', { WEBHOOK_ALLOW_PRIVATE: 'on' })
const receiver = startProcess('./count-requests.ts')
const rows: string[][] = []
try {
  const { port } = (await receiver.ready) as { port: number }
  await call(service.port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
  const numbers = Array.from({ length: count + warmUp }, (_, index) => `C${index}`)
  await measure('order with a parcel', numbers, (number) =>
    call(service.port, 'PUT', '/v1/shops/bench/orders', shippedOrder(number)),
  )
  const pages = new Map<string, string>()
  for (const number of numbers) pages.set(number, await pageOf(number))
  await measure('page view', numbers, (number) => call(service.port, 'GET', pages.get(number) ?? ''))
  await measure('event, nobody is notified', numbers, (number) => postEvent(number, 'PARCEL_DISPATCHED'))
  await call(service.port, 'POST', '/v1/shops/bench/webhooks', { url: `http://127.0.0.1:${port}/` })
  await measure('event and its webhook delivery', numbers, async (number) => {
    await postEvent(number, 'OUT_FOR_DELIVERY')
  })
  printTable(['what', 'service, ms', 'PostgreSQL, ms', 'together, ms', 'bytes stored'], rows)
} finally {
  receiver.child.kill()
  await service.stop()
  await own.drop()
}

/** Processor time and growth per operation; the first quarter is warm-up. */
async function measure(what: string, numbers: string[], work: (number: string) => Promise<unknown>): Promise<void> {
  const hasDelivery = what.includes('delivery')
  await run(numbers.slice(0, warmUp), work, hasDelivery)
  const before = { ...cpu(), bytes: await storedBytes() }
  await run(numbers.slice(warmUp), work, hasDelivery)
  const after = { ...cpu(), bytes: await storedBytes() }
  const ms = (seconds: number) => (seconds * 1_000) / count
  const [ofService, ofDatabase] = [ms(after.service - before.service), ms(after.database - before.database)]
  rows.push([
    what,
    ofService.toFixed(2),
    ofDatabase.toFixed(2),
    (ofService + ofDatabase).toFixed(2),
    Math.max(0, (after.bytes - before.bytes) / count).toFixed(0),
  ])
  console.log(rows.at(-1)?.join('  '))
}

async function run(numbers: string[], work: (number: string) => Promise<unknown>, hasDelivery: boolean): Promise<void> {
  const left = [...numbers]
  const received = hasDelivery
    ? await sendAndWait(receiver.child, { count: numbers.length }).then(() => ({ all: nextMessage(receiver.child) }))
    : undefined
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let number = left.pop(); number !== undefined; number = left.pop()) await work(number)
    }),
  )
  await received?.all
}

async function postEvent(number: string, event_name: string): Promise<void> {
  const response = await call(service.port, 'POST', '/v1/shops/bench/shipment-events?notify=true', {
    id: number,
    event_name,
  })
  await response.text()
}

async function pageOf(number: string): Promise<string> {
  const response = await call(service.port, 'POST', '/v1/shops/bench/orders/trackpage-url', { id: number })
  return new URL(((await response.json()) as { url: string }).url).pathname // as the API describes it
}

/** Of the connections' server processes: not of checkpoints and autovacuum, which other databases share. */
function cpu(): { service: number; database: number } {
  const total = (pids: number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  return { service: total(processTree(service.pid)), database: total(backendsOf(new URL(own.url).pathname.slice(1))) }
}

async function storedBytes(): Promise<number> {
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  const { rows: sizes } = await client
    .query('select pg_database_size(current_database()) as bytes')
    .finally(() => client.end())
  return Number(sizes[0].bytes)
}
