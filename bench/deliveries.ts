import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contestant, examplePayload, openDoorstep, openQueue } from './lib/contestants.ts'
import type { Counted, CountUpTo } from './lib/count-requests.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import type { PostLoop } from './lib/post-loop.ts'
import { nextMessage, sendAndWait, startProcess } from './lib/processes.ts'
import { queueNames } from './lib/queue-server.ts'
import type { EventsToSend } from './lib/send-events.ts'
import { median, printTable } from './table.ts'

const eventCount = Number(process.env.BENCH_EVENTS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** Enough to keep every contestant busy. */
const connections = Number(process.env.BENCH_CONNECTIONS ?? 128)
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

/** Deliveries per second of each round: from the first request to the last receipt, and from a backlog. */
interface Rates {
  whole: number[]
  backlog: number[]
}

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${deliveries} events to one endpoint, ${connections} connections`,
)
const receiver = startProcess('./count-requests.ts')
const { port: receiverPort } = (await receiver.ready) as { port: number }
const receiverUrl = `http://127.0.0.1:${receiverPort}`
const rates = new Map<string, Rates>()
try {
  if (serverUrl) await comparePostgres(serverUrl)
  if (process.env.BENCH_EMBEDDED !== '0') await compareEmbedded()
} finally {
  receiver.child.kill()
}
report()

async function comparePostgres(server: string): Promise<void> {
  const payload = await examplePayload(server, receiverUrl)
  console.log(`a payload has ${payload.length} bytes`)
  for (let round = 0; round <= rounds; round += 1) {
    const onOwnDatabase = async (measure: (databaseUrl: string) => Promise<number>): Promise<number> => {
      const own = await createOwnDatabase(server)
      return measure(own.url).finally(own.drop)
    }
    if (isWanted('bare undici loop')) {
      const rate = await measureLoop(payload)
      noteRate(round, 'bare undici loop', 'whole', rate)
      noteRate(round, 'bare undici loop', 'backlog', rate)
    }
    if (isWanted('Doorstep')) {
      const open = (url: string, role: 'all' | 'api') => openDoorstep({ DATABASE_URL: url }, receiverUrl, role)
      const whole = await onOwnDatabase(async (url) => measureWhole(await open(url, 'all'), round))
      noteRate(round, 'Doorstep, PostgreSQL', 'whole', whole)
      const backlog = await onOwnDatabase(async (url) => measureBacklog(await open(url, 'api'), round))
      noteRate(round, 'Doorstep, PostgreSQL', 'backlog', backlog)
    }
    if (isWanted('Doorstep, a process for each role')) {
      const open = (url: string) => openDoorstep({ DATABASE_URL: url }, receiverUrl, 'api')
      const whole = await onOwnDatabase(async (url) => measureWhole(await open(url), round))
      noteRate(round, 'Doorstep, a process for each role', 'whole', whole)
    }
    for (const name of queueNames.filter(isWanted)) {
      const open = (databaseUrl: string) => openQueue(name, { databaseUrl, redisUrl, receiverUrl, payload })
      noteRate(round, name, 'whole', await onOwnDatabase(async (url) => measureWhole(await open(url), round)))
      noteRate(round, name, 'backlog', await onOwnDatabase(async (url) => measureBacklog(await open(url), round)))
    }
  }
}

async function compareEmbedded(): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
    const doorstep = await openDoorstep({ DATA_DIR: dataDir }, receiverUrl)
    noteRate(round, 'Doorstep, embedded', 'whole', await measureWhole(doorstep, round))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function noteRate(round: number, name: string, way: keyof Rates, rate: number): void {
  console.log(`round ${round}: ${name}, ${way} ${rate.toFixed(0)} per second`)
  // The first round is warm-up.
  if (round === 0) return
  const noted = rates.get(name) ?? { whole: [], backlog: [] }
  noted[way].push(rate)
  rates.set(name, noted)
}

/** Accepts and delivers at the same time. */
async function measureWhole(contestant: Contestant, round: number): Promise<number> {
  const sender = startProcess('./send-events.ts')
  try {
    await contestant.beginDelivering()
    // Warm-up with half as many events.
    await deliver(contestant, sender.child, await contestant.prepare(round * 2, parcels), 0.5)
    await contestant.settle()
    return await deliver(contestant, sender.child, await contestant.prepare(round * 2 + 1, parcels), 1)
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
  const { count, received } = await awaitReceipts(trackingNumbers)
  const startedAt = Date.now()
  await accept(sender, port, slug, trackingNumbers)
  const { at } = await received
  return (count / (at - startedAt)) * 1_000
}

/** Delivers a backlog that was accepted before any worker started. The first third is warm-up and not counted. */
async function measureBacklog(contestant: Contestant, round: number): Promise<number> {
  const sender = startProcess('./send-events.ts')
  try {
    const { slug, numbers } = await contestant.prepare(round, parcels)
    const ahead = Math.ceil((numbers.length * eventNames.length) / 3)
    const { count, received } = await awaitReceipts(numbers, ahead)
    await accept(sender.child, contestant.port, slug, numbers)
    await contestant.settle()
    await contestant.beginDelivering()
    const { from, at } = await received
    return ((count - ahead) / (at - from)) * 1_000
  } finally {
    sender.child.kill()
    await contestant.stop()
  }
}

async function awaitReceipts(numbers: string[], ahead = 0): Promise<{ count: number; received: Promise<Counted> }> {
  const count = numbers.length * eventNames.length
  await sendAndWait(receiver.child, { count, ahead } satisfies CountUpTo)
  return { count, received: nextMessage(receiver.child) as Promise<Counted> }
}

async function accept(sender: ChildProcess, port: number, slug: string, trackingNumbers: string[]): Promise<void> {
  for (const eventName of eventNames) {
    const events: EventsToSend = { port, slug, trackingNumbers, eventName, connections }
    const { failure } = (await sendAndWait(sender, events)) as { failure: string | undefined }
    if (failure !== undefined) throw new Error(failure)
  }
}

async function measureLoop(payload: string): Promise<number> {
  const { child, ready } = startProcess('./post-loop.ts')
  await ready
  try {
    const post = async (count: number): Promise<number> => {
      const startedAt = Date.now()
      await sendAndWait(child, { url: receiverUrl, payload, count } satisfies PostLoop)
      return (count / (Date.now() - startedAt)) * 1_000
    }
    await post(deliveries * 0.05)
    return await post(deliveries)
  } finally {
    child.kill()
  }
}

function report(): void {
  const ways = ['whole', 'backlog'] as const
  const shown = (value: number, digits: number) => (Number.isNaN(value) ? 'not measured' : value.toFixed(digits))
  const rateOf = (name: string, way: keyof Rates) => median(rates.get(name)?.[way] ?? [])
  const multiple = (name: string, way: keyof Rates) => rateOf('Doorstep, PostgreSQL', way) / rateOf(name, way)
  console.log()
  printTable(
    [
      'through',
      'accepted and received per second',
      'ours as a multiple',
      'received per second, from a backlog',
      'ours as a multiple',
    ],
    [...rates.keys()].map((name) => [
      name,
      ...ways.flatMap((way) => [shown(rateOf(name, way), 0), shown(multiple(name, way), 2)]),
    ]),
  )
}
