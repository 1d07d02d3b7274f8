import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { nextMessage, sendAndWait, startProcess } from './lib/processes.ts'
import type { EventsToSend } from './lib/send-events.ts'
import { startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const eventCount = Number(process.env.BENCH_EVENTS ?? 10_000)
const automationCount = Number(process.env.BENCH_AUTOMATIONS ?? 200)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const connections = 32
/** The events of each parcel, in order: each is published once. */
const eventNames = [
  'PARCEL_DISPATCHED',
  'ARRIVED_AT_SORTING_CENTER',
  'TRANSPORT_DEPARTED',
  'OUT_FOR_DELIVERY',
  'SUCCESSFULLY_DELIVERED',
]
const parcels = Math.floor(eventCount / eventNames.length)

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${eventCount} events to one endpoint, ${connections} connections`,
)
if (process.env.BENCH_DATABASE_URL) {
  const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
  await measureStore('PostgreSQL', { DATABASE_URL: own.url }, () => analyze(own.url)).finally(own.drop)
}
if (process.env.BENCH_EMBEDDED !== '0') {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  await measureStore('Embedded store', { DATA_DIR: dataDir }).finally(() =>
    rmSync(dataDir, { recursive: true, force: true }),
  )
}

/** Rounds without and with automations alternate, each in its own shop, so that other load affects both alike. */
async function measureStore(
  title: string,
  store: Parameters<typeof startServiceProcess>[0],
  warmedUp: () => Promise<void> = async () => {},
): Promise<void> {
  const service = await startServiceProcess(store)
  const receiver = startProcess('./count-requests.ts')
  try {
    const { port } = (await receiver.ready) as { port: number }
    const rates = new Map<number, number[]>([
      [0, []],
      [automationCount, []],
    ])
    for (let round = 0; round <= rounds; round += 1) {
      if (round === 1) await warmedUp()
      for (const [automations, measured] of rates) {
        const webhooks = { url: `http://127.0.0.1:${port}`, child: receiver.child }
        const rate = await measureShop(service.port, webhooks, automations, round)
        console.log(`round ${round}, ${automations} automations: ${rate.toFixed(0)} per second`)
        // The first round warms up.
        if (round > 0) measured.push(rate)
      }
    }
    const without = median(rates.get(0) ?? [])
    console.log(`\n${title}`)
    printTable(
      ['automations in the shop', 'delivered per second', 'of the rate without'],
      [...rates].map(([automations, measured]) => [
        String(automations),
        median(measured).toFixed(0),
        (median(measured) / without).toFixed(2),
      ]),
    )
  } finally {
    receiver.child.kill()
    await service.stop()
  }
}

async function measureShop(
  port: number,
  receiver: { url: string; child: ChildProcess },
  automations: number,
  round: number,
): Promise<number> {
  const slug = `bench-${automations}-${round}`
  await call(port, 'POST', '/v1/shops', { name: slug, slug })
  const numbers = Array.from({ length: parcels }, (_, index) => `${slug}-${index}`)
  for (let from = 0; from < parcels; from += 500) {
    await call(port, 'PUT', `/v1/shops/${slug}/orders/bulk`, numbers.slice(from, from + 500).map(shippedOrder))
  }
  await call(port, 'POST', `/v1/shops/${slug}/webhooks`, { url: `${receiver.url}/${slug}` })
  for (let index = 0; index < automations; index += 1)
    await call(port, 'POST', `/v1/shops/${slug}/automations`, ruleOf(index))

  await sendAndWait(receiver.child, { count: parcels * eventNames.length })
  const finished = nextMessage(receiver.child) as Promise<{ at: number }>
  const startedAt = Date.now()
  await sendEvents(port, slug, numbers)
  const { at } = await finished
  if (automations > 0) await expectRuns(port, slug)
  return ((parcels * eventNames.length) / (at - startedAt)) * 1_000
}

async function sendEvents(port: number, slug: string, numbers: string[]): Promise<void> {
  const { child } = startProcess('./send-events.ts')
  try {
    for (const eventName of eventNames) {
      const events: EventsToSend = { port, slug, trackingNumbers: numbers, eventName, connections }
      const { failure } = (await sendAndWait(child, events)) as { failure: string | undefined }
      if (failure !== undefined) throw new Error(failure)
    }
  } finally {
    child.kill()
  }
}

/** All listen to every event and check three fields. One in a hundred runs its action, for a fifth of the events. */
function ruleOf(index: number) {
  const isMatching = index % 100 === 0
  return {
    name: `rule ${index}`,
    trigger: { events: ['shipments'] },
    conditions: [
      { field: 'context.order.total_order_price', operator: 'gte', value: 50 },
      { field: 'context.order.products.sku', operator: 'contains', value: 'BO-3' },
      isMatching
        ? { field: 'event_data.event_name', operator: 'eq', value: 'SUCCESSFULLY_DELIVERED' }
        : { field: 'context.order.segments', operator: 'contains', value: `segment-${index}` },
    ],
    actions: [{ type: 'add_segment', segment: `delivered-${index}` }],
  }
}

/** Fails if the automations did not run: their rate would mean nothing. */
async function expectRuns(port: number, slug: string): Promise<void> {
  const listed = await call(port, 'GET', `/v1/shops/${slug}/automations?per_page=1`)
  const [{ uuid }] = (await listed.json()) as [{ uuid: string }]
  const deadline = Date.now() + 30_000
  for (;;) {
    const runs = await call(port, 'GET', `/v1/shops/${slug}/automations/${uuid}/runs?per_page=1`)
    if (Number(runs.headers.get('x-total-count')) >= parcels) return
    if (Date.now() > deadline) throw new Error('the automations did not run for every event that they match')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Without this, a new server plans as if its tables were empty. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze').finally(() => client.end())
}
