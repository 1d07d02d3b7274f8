import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import type { PostLoop } from './lib/post-loop.ts'
import { ask, nextMessage, startProcess } from './lib/processes.ts'
import { type QueueSettings, queueNames } from './lib/queue-server.ts'
import type { EventsToSend } from './lib/send-events.ts'
import { startServiceProcess } from './lib/service.ts'
import { median, printTable } from './table.ts'

const eventCount = Number(process.env.BENCH_EVENTS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const connections = 32
const redisUrl = process.env.BENCH_REDIS_URL ?? 'redis://127.0.0.1:6379'
const serverUrl = process.env.BENCH_DATABASE_URL
const only = new RegExp(process.env.BENCH_ONLY ?? '')
const isWanted = (name: string) => only.test(name)
const eventNames = [
  'PARCEL_DISPATCHED',
  'ARRIVED_AT_SORTING_CENTER',
  'TRANSPORT_DEPARTED',
  'OUT_FOR_DELIVERY',
  'SUCCESSFULLY_DELIVERED',
]
const parcels = Math.floor(eventCount / eventNames.length)
const deliveries = parcels * eventNames.length

/** Something that accepts events over HTTP and delivers them. */
interface Contestant {
  port: number
  /** Accepts the path of this shop; made anew for each round. */
  prepare(round: number): Promise<{ slug: string; numbers: string[] }>
  /** Lets the planner look at the tables: a server that has run for a while knows them. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Deliveries a second from the first request to the last receipt, round by round. */
type Rates = Map<string, number[]>

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${deliveries} events to one endpoint, ${connections} connections`,
)
const receiver = startProcess('./count-requests.ts')
const { port: receiverPort } = (await receiver.ready) as { port: number }
const receiverUrl = `http://127.0.0.1:${receiverPort}`
const rates: Rates = new Map()
try {
  if (serverUrl) await comparePostgres(serverUrl)
  if (process.env.BENCH_EMBEDDED !== '0') await compareEmbedded()
} finally {
  receiver.child.kill()
}
report()

async function comparePostgres(server: string): Promise<void> {
  const payload = await examplePayload(server)
  console.log(`a payload has ${payload.length} bytes`)
  const drops: (() => Promise<void>)[] = []
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const ownDatabase = async (name: string) => {
        const own = await createOwnDatabase(server, `_${round}_${name.replaceAll(/\W/g, '').toLowerCase()}`)
        drops.push(own.drop)
        return own.url
      }
      if (isWanted('bare undici loop')) noteRate(round, 'bare undici loop', await measureLoop(payload))
      if (isWanted('Doorstep')) {
        const doorstep = await openDoorstep({ DATABASE_URL: await ownDatabase('doorstep') })
        noteRate(round, 'Doorstep, PostgreSQL', await measureContestant(doorstep, round))
      }
      for (const name of queueNames.filter(isWanted)) {
        const queue = await openQueue(name, await ownDatabase(name), payload)
        noteRate(round, name, await measureContestant(queue, round))
      }
    }
  } finally {
    for (const drop of drops) await drop()
  }
}

async function compareEmbedded(): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
    const doorstep = await openDoorstep({ DATA_DIR: dataDir })
    noteRate(round, 'Doorstep, embedded', await measureContestant(doorstep, round))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function noteRate(round: number, name: string, rate: number): void {
  console.log(`round ${round}: ${name} ${rate.toFixed(0)} a second`)
  // The first round warms the machine up.
  if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate])
}

async function measureContestant(contestant: Contestant, round: number): Promise<number> {
  const sender = startProcess('./send-events.ts')
  try {
    // What a process does for the first time it does slowly: a twentieth goes ahead.
    await deliver(contestant, sender.child, await contestant.prepare(round * 2), 0.05)
    await contestant.settle()
    return await deliver(contestant, sender.child, await contestant.prepare(round * 2 + 1), 1)
  } finally {
    sender.child.kill()
    await contestant.stop()
  }
}

async function deliver(
  { port }: Contestant,
  sender: ChildProcess,
  { slug, numbers }: { slug: string; numbers: string[] },
  share: number,
): Promise<number> {
  const trackingNumbers = numbers.slice(0, Math.ceil(numbers.length * share))
  const count = trackingNumbers.length * eventNames.length
  await ask(receiver.child, { count })
  const received = nextMessage(receiver.child) as Promise<{ at: number }>
  const startedAt = Date.now()
  for (const eventName of eventNames) {
    const events: EventsToSend = { port, slug, trackingNumbers, eventName, connections }
    const { failure } = (await ask(sender, events)) as { failure: string | undefined }
    if (failure !== undefined) throw new Error(failure)
  }
  const { at } = await received
  return (count / (at - startedAt)) * 1_000
}

async function openDoorstep(store: Parameters<typeof startServiceProcess>[0]): Promise<Contestant> {
  const service = await startServiceProcess(store)
  return {
    port: service.port,
    prepare: (round) => prepareShop(service.port, round),
    // The embedded store looks by itself within ten seconds, which its own round has to wait for.
    settle: () =>
      'DATABASE_URL' in store ? analyze(store.DATABASE_URL) : new Promise((resolve) => setTimeout(resolve, 22_000)),
    stop: service.stop,
  }
}

async function prepareShop(port: number, round: number): Promise<{ slug: string; numbers: string[] }> {
  const slug = `bench-${round}`
  await call(port, 'POST', '/v1/shops', { name: slug, slug })
  const numbers = Array.from({ length: parcels }, (_, index) => `${slug}-${index}`)
  for (let from = 0; from < parcels; from += 500) {
    await call(port, 'PUT', `/v1/shops/${slug}/orders/bulk`, numbers.slice(from, from + 500).map(shippedOrder))
  }
  await call(port, 'POST', `/v1/shops/${slug}/webhooks`, { url: `${receiverUrl}/${slug}` })
  return { slug, numbers }
}

async function openQueue(name: (typeof queueNames)[number], databaseUrl: string, payload: string): Promise<Contestant> {
  const settings: QueueSettings = { databaseUrl, redisUrl, receiverUrl, payload }
  const { child, ready } = startProcess('./queue-server.ts', name, JSON.stringify(settings))
  const { port } = (await ready) as { port: number }
  await ask(child, { work: true })
  return {
    port,
    prepare: async (round) => ({
      slug: 'bench',
      numbers: Array.from({ length: parcels }, (_, index) => `${round}-${index}`),
    }),
    settle: () => analyze(databaseUrl),
    async stop() {
      child.kill('SIGKILL')
    },
  }
}

async function measureLoop(payload: string): Promise<number> {
  const { child, ready } = startProcess('./post-loop.ts')
  await ready
  try {
    const post = async (count: number): Promise<number> => {
      const startedAt = Date.now()
      await ask(child, { url: receiverUrl, payload, count } satisfies PostLoop)
      return (count / (Date.now() - startedAt)) * 1_000
    }
    await post(deliveries * 0.05)
    return await post(deliveries)
  } finally {
    child.kill()
  }
}

/** What we send for such an event, so that the others send as much. */
async function examplePayload(server: string): Promise<string> {
  const own = await createOwnDatabase(server, '_payload')
  const service = await startServiceProcess({ DATABASE_URL: own.url })
  try {
    await call(service.port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
    await call(service.port, 'PUT', '/v1/shops/bench/orders/bulk', [shippedOrder('{number}')])
    const made = await call(service.port, 'POST', '/v1/shops/bench/webhooks', { url: receiverUrl })
    const { uuid } = (await made.json()) as { uuid: string }
    await call(service.port, 'POST', '/v1/shops/bench/shipment-events?notify=true', {
      id: '{number}',
      event_name: 'PARCEL_DISPATCHED',
    })
    const listed = await call(service.port, 'GET', `/v1/shops/bench/webhooks/${uuid}/deliveries`)
    const [{ uuid: id }] = (await listed.json()) as [{ uuid: string }]
    const delivery = await call(service.port, 'GET', `/v1/shops/bench/deliveries/${id}`)
    return JSON.stringify(((await delivery.json()) as { payload: unknown }).payload)
  } finally {
    await service.stop()
    await own.drop()
  }
}

async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze').finally(() => client.end())
}

function report(): void {
  const medians = new Map([...rates].map(([name, measured]) => [name, median(measured)]))
  const ours = medians.get('Doorstep, PostgreSQL') ?? Number.NaN
  console.log()
  printTable(
    ['through', 'accepted and received a second', 'Doorstep on PostgreSQL, as a multiple of it'],
    [...medians].map(([name, rate]) => [name, rate.toFixed(0), (ours / rate).toFixed(2)]),
  )
}
