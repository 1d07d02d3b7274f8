import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call } from './lib/call.ts'
import type { SinkCommand, SinkReport } from './lib/mail-sink.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { backendsOf, cpuSeconds, processTree, residentMb } from './lib/proc.ts'
import { sendAndWait, startProcess } from './lib/processes.ts'
import { startServiceProcess } from './lib/service.ts'
import { drawChart } from './soak/chart.ts'
import { collect, collectFlags } from './soak/live-memory.ts'
import type { LoadCommand, LoadReport } from './soak/load.ts'
import { eventsPerOrder, type RequestKind, requestKinds, requestsPerOrder } from './soak/mix.ts'
import type { ReceiversCommand, ReceiversCount, ReceiversReport } from './soak/receivers.ts'
import { flatShare, mean, type Point, quantile, riseOf, type Sample, secondHalf, sum } from './soak/verdict.ts'
import { printTable } from './table.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
/** Orders per second; each of them leads to a dozen further requests, spread over a minute. */
const ordersPerSecond = Number(process.env.SOAK_RATE ?? 3)
const sampleSeconds = Number(process.env.SOAK_SAMPLE_SECONDS ?? 10)
/** Garbage is collected once in so many samples, and memory is judged then. */
const samplesPerCollection = 6
const picture = process.env.SOAK_PICTURE ?? 'soak.svg'
const serverUrl = process.env.BENCH_DATABASE_URL
const processCount = serverUrl ? Number(process.env.BENCH_PROCESSES ?? 2) : 1
/** Every hundredth endpoint fails from the beginning, and is back when the traffic has ended. */
const shopCount = 20
const endpointsPerShop = 5
const failing = ['/soak-0/0']
/** How long the queue may take to drain after that. */
const drainMinutes = 5

const storeName = serverUrl ? 'PostgreSQL' : 'the embedded store'
const startedAt = new Date()
const rate = `${(ordersPerSecond * requestsPerOrder).toFixed(0)} requests/s (${ordersPerSecond} orders/s, ${ordersPerSecond * eventsPerOrder} events/s)`
console.log(`Node ${process.version}, ${cpus().length} cores, ${storeName}, ${minutes} minutes at ${rate}`)

const folder = mkdtempSync(join(tmpdir(), 'doorstep-soak-'))
const own = serverUrl ? await createOwnDatabase(serverUrl, '_soak') : undefined
const logPath = join(folder, 'log')
const log = openSync(logPath, 'w')
const dataDir = join(folder, 'data')
const memoryFolder = join(folder, 'memory')
const service = await startServiceProcess(
  own ? { DATABASE_URL: own.url } : { DATA_DIR: dataDir },
  'all',
  {
    SMTP_RATE: '1000',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    SOAK_MEMORY_FOLDER: memoryFolder,
    ...(own ? { PROCESSES: String(processCount), DATA_DIR: dataDir } : {}),
  },
  { log, flags: collectFlags },
)
const receivers = startProcess('../soak/receivers.ts')
const sink = startProcess('./mail-sink.ts')
const load = startProcess('../soak/load.ts')
const samples: Sample[] = []
const times = Object.fromEntries(requestKinds.map((kind) => [kind, []])) as unknown as Record<RequestKind, number[]> // every kind
/** Accepted events by endpoint that has not received them yet, with the time of acceptance. */
const waiting = new Map<string, number>()
/** Events that arrived before their acceptance was reported here. */
const early = new Set<string>()
const customers = new Set<string>()
const failures: LoadReport['failures'] = []
let acceptedEvents = 0
let lastCounts = { received: 0, mails: 0, at: 0 }

try {
  const slugs = await prepare()
  const cpuBefore = cpuOfAll()
  load.child.send({
    type: 'begin',
    port: service.port,
    slugs,
    ordersPerSecond,
    run: String(process.pid),
  } satisfies LoadCommand)
  const beganAt = Date.now()
  lastCounts.at = beganAt
  for (let at = sampleSeconds; at <= minutes * 60; at += sampleSeconds) {
    await sleep(beganAt + at * 1_000 - Date.now())
    await sample((Date.now() - beganAt) / 60_000)
  }
  take((await sendAndWait(load.child, { type: 'stop' } satisfies LoadCommand)) as LoadReport)
  const cpuAfter = cpuOfAll()
  const requests = sum(Object.values(times).map(({ length }) => length))
  console.log(
    `\n${requests} requests, ${customers.size} orders and ${acceptedEvents} events accepted; ` +
      `processor time: service ${(cpuAfter.service - cpuBefore.service).toFixed(0)} s` +
      (own ? `, PostgreSQL ${(cpuAfter.database - cpuBefore.database).toFixed(0)} s` : ''),
  )
  await sendAndWait(receivers.child, { failing: [] } satisfies ReceiversCommand)
  await reopen(failing)
  const drainedAfterSeconds = await drain()
  await judge(drainedAfterSeconds)
} finally {
  for (const { child } of [receivers, sink, load]) child.kill()
  await service.stop()
  closeSync(log)
  await own?.drop()
  rmSync(folder, { recursive: true, force: true })
}

async function prepare(): Promise<string[]> {
  const { port: receiverPort } = (await receivers.ready) as { port: number }
  const { port: mailPort } = (await sink.ready) as { port: number }
  await load.ready
  await sendAndWait(receivers.child, { failing } satisfies ReceiversCommand)
  const slugs = Array.from({ length: shopCount }, (_, index) => `soak-${index}`)
  for (const slug of slugs) {
    await call(service.port, 'POST', '/v1/shops', { name: 'River & Pine', slug })
    const shop = `/v1/shops/${slug}`
    await call(service.port, 'PUT', `${shop}/keys/smtp`, {
      host: '127.0.0.1',
      port: mailPort,
      security: 'none',
      from_name: 'River & Pine',
      from_address: 'orders@river-and-pine.example',
      reply_to: 'help@river-and-pine.example',
    })
    await call(service.port, 'PATCH', `${shop}/settings/mail`, { quiet_hours: { enabled: false } })
    await call(service.port, 'PATCH', `${shop}/settings/triggers/smtp`, { status: true })
    for (let index = 0; index < endpointsPerShop; index += 1) {
      await call(service.port, 'POST', `${shop}/webhooks`, { url: `http://127.0.0.1:${receiverPort}/${slug}/${index}` })
    }
  }
  return slugs
}

async function sample(minute: number): Promise<void> {
  const report = (await sendAndWait(load.child, { type: 'report' } satisfies LoadCommand)) as LoadReport
  const failuresBefore = failures.length
  take(report)
  const { received } = await countReceived()
  const { count: mails } = (await sendAndWait(sink.child, { isReport: true } satisfies SinkCommand)) as SinkReport
  const now = Date.now()
  const seconds = (now - lastCounts.at) / 1_000
  const intervals = Object.values(report.times).flat()
  const taken: Sample = {
    minute,
    requestsPerSecond: intervals.length / seconds,
    deliveriesPerSecond: (received - lastCounts.received) / seconds,
    mailsPerSecond: (mails - lastCounts.mails) / seconds,
    p50Ms: quantile(intervals, 0.5),
    p99Ms: quantile(intervals, 0.99),
    errors: failures.length - failuresBefore,
    memoryMb: processTree(service.pid).map((pid) => residentMb(pid) ?? 0),
    queueAgeSeconds: queueAge(now),
    storeMb: await storeMb(),
  }
  lastCounts = { received, mails, at: now }
  samples.push(taken)
  if (samples.length % samplesPerCollection === 0) taken.live = await collect(memoryFolder, processTree(service.pid))
  console.log(
    `${minute.toFixed(1)} min: ${taken.requestsPerSecond.toFixed(1)} requests/s, ${taken.deliveriesPerSecond.toFixed(0)} deliveries/s, ` +
      `${taken.mailsPerSecond.toFixed(0)} mails/s, p50 ${taken.p50Ms?.toFixed(1)} ms, p99 ${taken.p99Ms?.toFixed(0)} ms, ${taken.errors} errors, ` +
      `${taken.memoryMb.map((mb) => mb.toFixed(0)).join('+')} MB, queue ${taken.queueAgeSeconds.toFixed(1)} s, store ${taken.storeMb.toFixed(0)} MB` +
      (taken.live
        ? `, after a collection ${taken.live.usedMb.toFixed(1)} MB in use, ${taken.live.residentMb.toFixed(0)} MB resident`
        : ''),
  )
  if (minute > 0.1) writeFileSync(picture, draw())
}

function take(report: LoadReport): void {
  for (const kind of requestKinds) times[kind].push(...report.times[kind])
  failures.push(...report.failures)
  for (const email of report.customers) customers.add(email)
  acceptedEvents += report.accepted.length
  for (const { slug, event, at } of report.accepted) {
    for (let index = 0; index < endpointsPerShop; index += 1) {
      const key = `/${slug}/${index} ${event}`
      if (!early.delete(key)) waiting.set(key, at)
    }
  }
}

async function countReceived(): Promise<ReceiversCount> {
  const count = (await sendAndWait(receivers.child, { isCount: true } satisfies ReceiversCommand)) as ReceiversCount
  for (const [endpoint, event] of count.since) {
    const key = `${endpoint} ${event}`
    if (!waiting.delete(key)) early.add(key)
  }
  return count
}

/** How long the oldest accepted event has been waiting for an endpoint that does not fail. */
function queueAge(now: number): number {
  const oldest = [...waiting].find(([key]) => !failing.some((endpoint) => key.startsWith(`${endpoint} `)))
  return oldest === undefined ? 0 : Math.max(0, now - oldest[1]) / 1_000
}

/** The merchant says that the endpoint works again: its next probe is due at once. */
async function reopen(paths: string[]): Promise<void> {
  for (const path of paths) {
    const [, slug] = path.split('/')
    const response = await call(service.port, 'GET', `/v1/shops/${slug}/webhooks`)
    const endpoints = (await response.json()) as { uuid: string; url: string }[] // as the API describes it
    const endpoint = endpoints.find(({ url }) => new URL(url).pathname === path)
    await call(service.port, 'PATCH', `/v1/shops/${slug}/webhooks/${endpoint?.uuid}`, { status: 'active' })
  }
}

/** Waits until nothing is waiting for any endpoint, and every customer got an e-mail. */
async function drain(): Promise<number | undefined> {
  const beganAt = Date.now()
  while (Date.now() - beganAt < drainMinutes * 60_000) {
    await countReceived()
    const { recipients } = (await sendAndWait(sink.child, { isReport: true } satisfies SinkCommand)) as SinkReport
    const mailed = new Set(recipients)
    if (waiting.size === 0 && [...customers].every((email) => mailed.has(email))) return (Date.now() - beganAt) / 1_000
    await sleep(500)
  }
  return undefined
}

async function judge(drainedAfterSeconds: number | undefined): Promise<void> {
  // A repeated message would arrive within a moment.
  await sleep(3_000)
  const { received, renamed } = (await sendAndWait(receivers.child, {
    isReport: true,
  } satisfies ReceiversCommand)) as ReceiversReport
  const repeated = sum(received.flatMap(([, events]) => events.map(([, count]) => count - 1)))
  const deliveries = sum(received.flatMap(([, events]) => events.map(([, count]) => count)))
  const { count: mails } = (await sendAndWait(sink.child, { isReport: true } satisfies SinkCommand)) as SinkReport
  const errorLines = readFileSync(logPath, 'utf8')
    .split('\n')
    .filter((line) => /"level":(50|60)|^\S+ (ERROR|FATAL)/.test(line))
  printTable(
    ['request', 'count', 'p50 ms', 'p99 ms'],
    requestKinds.map((kind) => [
      kind,
      String(times[kind].length),
      (quantile(times[kind], 0.5) ?? 0).toFixed(1),
      (quantile(times[kind], 0.99) ?? 0).toFixed(1),
    ]),
  )
  for (const { kind, status, text } of failures.slice(0, 5)) console.log(`error: ${kind} ${status} ${text}`)
  for (const line of errorLines.slice(0, 5)) console.log(`log: ${line.slice(0, 500)}`)
  const promises: [string, boolean][] = [
    memoryPromise('memory in use', ({ live }) => live?.usedMb),
    memoryPromise('resident memory', ({ live }) => live?.residentMb),
    [
      `${failures.length} errors in ${sum(requestKinds.map((kind) => times[kind].length))} requests`,
      failures.length === 0,
    ],
    [`${errorLines.length} errors in the log`, errorLines.length === 0],
    [
      drainedAfterSeconds === undefined
        ? `not drained: ${waiting.size} deliveries missing`
        : `drained ${drainedAfterSeconds.toFixed(1)} s after the traffic: ${acceptedEvents} events at ${endpointsPerShop} endpoints each, ${deliveries} deliveries in all, ${repeated} repeated, ${mails} e-mails`,
      drainedAfterSeconds !== undefined && repeated === 0 && renamed === 0,
    ],
  ]
  const [memory, rise] = memoryOver(({ memoryMb }) => sum(memoryMb))
  console.log(`\nresident memory with garbage, for information: ${memory.toFixed(0)} MB, ${percent(rise)}`)
  writeFileSync(picture, draw())
  console.log(`\n${promises.map(([words, isKept]) => `${isKept ? 'ok' : 'NOT OK'}: ${words}`).join('\n')}`)
  const isFulfilled = promises.every(([, isKept]) => isKept)
  console.log(`verdict: ${isFulfilled ? 'fulfilled' : 'not fulfilled'}`)
  if (!isFulfilled) process.exitCode = 1
}

function memoryPromise(name: string, pick: (each: Sample) => number | undefined): [string, boolean] {
  const [mb, rise] = memoryOver(pick)
  const words = `${name} after a collection ${mb.toFixed(1)} MB, ${percent(rise)} over the second half (flat: below ${flatShare * 100} %)`
  return [words, rise < flatShare]
}

/** Its mean over the second half, and its rise. */
function memoryOver(pick: (each: Sample) => number | undefined): [number, number] {
  const points = samples.flatMap((each): Point[] => {
    const mb = pick(each)
    return mb === undefined ? [] : [[each.minute, mb]]
  })
  return [mean(secondHalf(points).map(([, mb]) => mb)), riseOf(points)]
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`
}

function draw(): string {
  const of = (name: string, pick: (each: Sample) => number | undefined) => ({ name, values: samples.map(pick) })
  const names =
    processCount === 1
      ? ['service']
      : ['primary', ...Array.from({ length: processCount }, (_, n) => `process ${n + 1}`)]
  return drawChart({
    title: `Soak test on ${storeName}, ${minutes} minutes`,
    subtitle: `${rate}, ${shopCount * endpointsPerShop} endpoints of which ${failing.length} fails, e-mail; sampled every ${sampleSeconds} s from ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    minutes: samples.map(({ minute }) => minute),
    panels: [
      {
        title: 'Throughput',
        unit: 'per second',
        series: [
          of('requests', (each) => each.requestsPerSecond),
          of('webhook deliveries', (each) => each.deliveriesPerSecond),
          of('e-mails', (each) => each.mailsPerSecond),
        ],
      },
      {
        title: 'Latency of requests',
        unit: 'ms',
        series: [of('p50', (each) => each.p50Ms), of('p99', (each) => each.p99Ms)],
      },
      { title: 'Errors', unit: `in ${sampleSeconds} s`, series: [of('errors', (each) => each.errors)] },
      {
        title: 'Resident memory',
        unit: 'MB',
        series: names.map((name, index) => of(name, ({ memoryMb }) => memoryMb[index])),
      },
      { title: 'Queue: age of the oldest delivery', unit: 's', series: [of('age', (each) => each.queueAgeSeconds)] },
      { title: 'Size of the store', unit: 'MB', series: [of('size', (each) => each.storeMb)] },
    ],
  })
}

async function storeMb(): Promise<number> {
  if (!own) return sizeOf(dataDir) / 1_048_576
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  const { rows } = await client
    .query('select pg_database_size(current_database()) as bytes')
    .finally(() => client.end())
  return Number(rows[0].bytes) / 1_048_576
}

function sizeOf(path: string): number {
  try {
    return sum(
      readdirSync(path, { withFileTypes: true }).map((entry) =>
        entry.isDirectory() ? sizeOf(join(path, entry.name)) : statSync(join(path, entry.name)).size,
      ),
    )
  } catch {
    return 0 // removed meanwhile
  }
}

function cpuOfAll(): { service: number; database: number } {
  const database = own ? backendsOf(new URL(own.url).pathname.slice(1)) : []
  return { service: sum(processTree(service.pid).map(cpuSeconds)), database: sum(database.map(cpuSeconds)) }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
