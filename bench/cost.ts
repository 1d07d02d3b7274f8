import { cpus } from 'node:os'
import pg from 'pg'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { backendsOf, cpuSeconds, processTree } from './lib/proc.ts'
import { startProcess } from './lib/processes.ts'
import { startServiceProcess } from './lib/service.ts'
import { printTable } from './table.ts'

const count = Number(process.env.BENCH_COUNT ?? 2_000)
const warmUp = Math.ceil(count / 4)
const connections = 16
const endpoints = 5
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: the cost is measured on PostgreSQL.')

console.log(`Node ${process.version}, ${cpus().length} cores, ${count} of each, ${connections} at a time`)
const own = await createOwnDatabase(serverUrl, '_cost')
const client = new pg.Client({ connectionString: own.url })
await client.connect()
const ownBackend = Number((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
const service = await startServiceProcess({ DATABASE_URL: own.url }, 'all', { WEBHOOK_ALLOW_PRIVATE: 'on' })
const receiver = startProcess('./count-requests.ts')

interface Cost {
  service: number
  database: number
  bytes: number
}

try {
  const { port } = (await receiver.ready) as { port: number }
  await call(service.port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
  const addEndpoint = (name: number) =>
    call(service.port, 'POST', '/v1/shops/bench/webhooks', { url: `http://127.0.0.1:${port}/${name}` })

  // The same event each time, so parcels of their own: what differs is only who receives it.
  const [first, second, third] = ['A', 'B', 'C'].map((letter) =>
    Array.from({ length: count + warmUp }, (_, index) => `${letter}${index}`),
  ) as [string[], string[], string[]] // as many as letters
  const order = await measure(first, postOrder)
  await run([...second, ...third], postOrder)
  const pages = new Map<string, string>()
  await run(first, async (number) => pages.set(number, await pageOf(number)))
  const view = await measure(first, async (number) => (await call(service.port, 'GET', pages.get(number) ?? '')).text())
  const unheard = await measure(first, postEvent)
  await addEndpoint(0)
  const toOne = await measure(second, postEvent, 1)
  for (let endpoint = 1; endpoint < endpoints; endpoint += 1) await addEndpoint(endpoint)
  const toMany = await measure(third, postEvent, endpoints)

  printTable(
    ['what', 'service, ms', 'PostgreSQL, ms', 'together, ms', 'bytes stored'],
    [
      rowOf('order with a parcel', order),
      rowOf('page view', view),
      rowOf('event, nobody is notified', unheard),
      rowOf('event and its delivery to one endpoint', toOne),
      rowOf(`event and its deliveries to ${endpoints} endpoints`, toMany),
      rowOf('of these: the first delivery', difference(toOne, unheard, 1)),
      rowOf('of these: each further delivery', difference(toMany, toOne, endpoints - 1)),
    ],
  )
} finally {
  receiver.child.kill()
  await service.stop()
  await client.end()
  await own.drop()
}

function rowOf(what: string, { service, database, bytes }: Cost): string[] {
  return [what, service.toFixed(2), database.toFixed(2), (service + database).toFixed(2), bytes.toFixed(0)]
}

function difference(more: Cost, less: Cost, times: number): Cost {
  const share = (pick: (cost: Cost) => number) => (pick(more) - pick(less)) / times
  return {
    service: share(({ service }) => service),
    database: share(({ database }) => database),
    bytes: share(({ bytes }) => bytes),
  }
}

/** Processor time in ms and growth per operation, until all it leads to is delivered; the first quarter is warm-up. */
async function measure(
  numbers: string[],
  work: (number: string) => Promise<unknown>,
  deliveriesEach = 0,
): Promise<Cost> {
  await run(numbers.slice(0, warmUp), work)
  await untilDelivered()
  const before = { ...cpu(), ...(await stored()) }
  await run(numbers.slice(warmUp), work)
  await untilDelivered()
  const after = { ...cpu(), ...(await stored()) }
  const deliveries = after.deliveries - before.deliveries
  if (deliveries !== count * deliveriesEach) throw new Error(`${deliveries} deliveries of ${count} operations`)
  return {
    service: ((after.service - before.service) * 1_000) / count,
    database: ((after.database - before.database) * 1_000) / count,
    bytes: (after.bytes - before.bytes) / count,
  }
}

async function run(numbers: string[], work: (number: string) => Promise<unknown>): Promise<void> {
  const left = [...numbers]
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let number = left.pop(); number !== undefined; number = left.pop()) await work(number)
    }),
  )
}

function postOrder(number: string): Promise<unknown> {
  return call(service.port, 'PUT', '/v1/shops/bench/orders', shippedOrder(number)).then((response) => response.text())
}

async function postEvent(number: string): Promise<void> {
  const event = { id: number, event_name: 'OUT_FOR_DELIVERY' }
  await (await call(service.port, 'POST', '/v1/shops/bench/shipment-events?notify=true', event)).text()
}

async function pageOf(number: string): Promise<string> {
  const response = await call(service.port, 'POST', '/v1/shops/bench/orders/trackpage-url', { id: number })
  return new URL(((await response.json()) as { url: string }).url).pathname // as the API describes it
}

/** On a connection of the benchmark's own, whose processor time is not counted. */
async function untilDelivered(): Promise<void> {
  while ((await client.query('select 1 from deliveries where finished_at is null limit 1')).rowCount) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Of the connections' server processes: not of checkpoints and autovacuum, which other databases share. */
function cpu(): { service: number; database: number } {
  const total = (pids: number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const backends = backendsOf(new URL(own.url).pathname.slice(1)).filter((pid) => pid !== ownBackend)
  return { service: total(processTree(service.pid)), database: total(backends) }
}

async function stored(): Promise<{ bytes: number; deliveries: number }> {
  const { rows } = await client.query(
    'select pg_database_size(current_database()) as bytes, (select count(*) from deliveries) as deliveries',
  )
  return { bytes: Number(rows[0].bytes), deliveries: Number(rows[0].deliveries) }
}
