import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { deliveryLeaseMs } from '../../src/delivery/queue/retry.ts'
import { type LedgerReceiver, type OrderStream, startLedgerReceiver, streamOrders } from '../harness/order-stream.ts'
import { until } from '../harness/patience.ts'
import { findPostgresPrograms, startPostgresServer } from '../harness/postgres-server.ts'
import { callApi, makeFolder, makeShop, makeStore, operator } from '../harness/process.ts'
import { type SupervisedNode, supervise } from '../harness/supervised.ts'

// `npm run bench:kills` runs the same with 200.
const kills = Number(process.env.KILLS ?? 4)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
/** killed-process.test.ts kills the process of the embedded store: here only in the long run. */
const withEmbedded = kills > 20
const slug = 'killed'
/** The most that the processes have in flight together, with what has ended and is being recorded. */
const mostInFlight = 64
const timeoutMs = Math.max(900_000, kills * 30_000)
const programs = findPostgresPrograms()
const reason = programs === undefined ? ' (skipped: PostgreSQL is not installed)' : ''

interface Target {
  name: string
  /** The requests that it takes part in. */
  streaming: Streaming
  pids(): number[] | Promise<number[]>
}

describe.skipIf(reason !== '')(`random kills of any process${reason}`, () => {
  it(
    `lose nothing that was accepted, and repeat only what was in flight (${kills} kills)`,
    async () => {
      console.log(`seed ${seed}: KILL_SEED=${seed} KILLS=${kills} repeats the choices`)
      const random = randomNumbers(seed)
      const server = await startPostgresServer(programs ?? '')
      const settings = {
        DATABASE_URL: server.url,
        ENCRYPTION_KEY: 'the-key-of-all-nodes',
        ADMIN_API_KEY: operator.apiKey,
        WEBHOOK_RETRY_BASE_MS: '100',
        LOG_LEVEL: 'fatal',
      }
      const several = await supervise({ ...settings, PROCESSES: '2', DATA_DIR: makeFolder() })
      await several.ready()
      const single = await supervise({ ...settings, DATA_DIR: makeFolder() }, { hasMovableClock: true })
      await single.ready()
      const embedded = withEmbedded
        ? await supervise({ DATA_DIR: await makeStore(), WEBHOOK_RETRY_BASE_MS: '100', LOG_LEVEL: 'fatal' })
        : undefined
      await embedded?.ready()

      const onPostgres = await beginStream(several, () => (random() < 0.5 ? several : single))
      const onEmbedded = embedded ? await beginStream(embedded, () => embedded) : undefined
      const targets: Target[] = [
        { name: 'primary process', streaming: onPostgres, pids: () => pidOf(several) },
        { name: 'child process', streaming: onPostgres, pids: () => several.children() },
        { name: 'node of one process', streaming: onPostgres, pids: () => pidOf(single) },
        { name: 'PostgreSQL backend', streaming: onPostgres, pids: () => backendsOf(server.url) },
        ...(embedded && onEmbedded
          ? [{ name: 'process of the embedded store', streaming: onEmbedded, pids: () => pidOf(embedded) }]
          : []),
      ]
      const killed = await killAtRandom(targets, random)

      await Promise.all([several.ready(), single.ready(), embedded?.ready()])
      await Promise.all([onPostgres.stream.stop(), onEmbedded?.stream.stop()])
      // The deliveries of a killed process are due when its lease ends; the other node sends it.
      await several.stop()
      await single.current().advance(deliveryLeaseMs)
      await expectGuarantees('PostgreSQL', single, onPostgres, killed)
      if (embedded && onEmbedded) await expectGuarantees('the embedded store', embedded, onEmbedded, killed)
      expect(await unfinishedDeliveries(server.url), 'deliveries that nobody sends').toBe(0)
    },
    timeoutMs,
  )
})

interface Streaming {
  stream: OrderStream
  receiver: LedgerReceiver
}

async function beginStream(first: SupervisedNode, place: () => SupervisedNode): Promise<Streaming> {
  const receiver = await startLedgerReceiver()
  await makeShop(first, operator, slug)
  const endpoint = await callApi(first, operator, `POST /v1/shops/${slug}/webhooks`, { body: { url: receiver.url } })
  expect(endpoint.status).toBe(200)
  return { stream: streamOrders(place, operator, slug), receiver }
}

/** Kills each target once, in any order, and then any of them. Returns when each kill was. */
async function killAtRandom(targets: Target[], random: () => number): Promise<number[]> {
  const times: number[] = []
  const counts = new Map<string, number>()
  const first = [...targets]
  while (times.length < kills) {
    const among = first.length > 0 ? first : targets
    const target = among[Math.floor(random() * among.length)]
    if (target) await workOf(target, 1 + random() * 30)
    await new Promise((resolve) => setTimeout(resolve, random() * 200))
    const pids = (await target?.pids()) ?? []
    const pid = pids[Math.floor(random() * pids.length)]
    // It is being started again.
    if (target === undefined || pid === undefined) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      continue // it has ended by itself meanwhile
    }
    times.push(performance.now())
    if (first.includes(target)) first.splice(first.indexOf(target), 1)
    counts.set(target.name, (counts.get(target.name) ?? 0) + 1)
  }
  console.log(`killed: ${[...counts].map(([name, count]) => `${count} × ${name}`).join(', ')}`)
  return times
}

/** Waits until so many further requests were accepted: a kill at rest proves little. */
async function workOf({ streaming: { stream } }: Target, requests: number): Promise<void> {
  const accepted = () => stream.orders.size + stream.events.size
  const wanted = accepted() + requests
  await until(() => (accepted() < wanted ? undefined : true))
}

async function expectGuarantees(
  store: string,
  node: SupervisedNode,
  { stream, receiver }: Streaming,
  killed: number[],
): Promise<void> {
  const { receipts } = receiver
  const missing = () => [...stream.events].filter((event) => !receipts.has(event))
  await until(() => (missing().length === 0 ? true : undefined)).catch(() => {})
  expect(missing(), 'accepted, and never received').toEqual([])
  expect(
    [...receipts].filter(([, { ids }]) => ids.size !== 1),
    'repeated under another webhook-id',
  ).toEqual([])
  const repeated = [...receipts.values()].filter(({ times }) => times.length > 1)
  const withoutKill = repeated.filter(({ times }) => {
    const [first = 0, last = 0] = [times[0], times.at(-1)]
    return !killed.some((at) => at >= first - 1_000 && at <= last)
  })
  expect(withoutKill, 'repeated, and nothing was killed between the two').toEqual([])
  expect(repeated.length).toBeLessThanOrEqual(killed.length * mostInFlight)
  expect(await findLost(node, stream.orders), 'accepted orders that are not stored').toEqual([])
  const refused = [...stream.refused].map(([status, count]) => `${count} × ${status === 0 ? 'no response' : status}`)
  console.log(
    `${store}: ${stream.orders.size} orders and ${stream.events.size} events accepted, all stored and received; ` +
      `${repeated.length} events repeated; not accepted: ${refused.join(', ') || 'none'}`,
  )
}

async function findLost(node: SupervisedNode, orders: Set<string>): Promise<string[]> {
  const lost: string[] = []
  const left = [...orders]
  const look = async (): Promise<void> => {
    for (let number = left.pop(); number !== undefined; number = left.pop()) {
      const { body } = await callApi(node, operator, `GET /v1/shops/${slug}/orders?order_number=${number}`)
      if (!Array.isArray(body) || body.length !== 1) lost.push(number)
    }
  }
  await Promise.all(Array.from({ length: 8 }, look))
  return lost
}

function pidOf(node: SupervisedNode): number[] {
  const { child } = node.current()
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null ? [] : [child.pid]
}

async function backendsOf(url: string): Promise<number[]> {
  const sessions = "select pid from pg_stat_activity where application_name like 'doorstep%'"
  const rows = await query<{ pid: number }>(url, sessions).catch(() => [])
  return rows.map(({ pid }) => pid)
}

async function unfinishedDeliveries(url: string): Promise<number> {
  const unfinished = async () => {
    const [row] = await query<{ count: string }>(url, 'select count(*) from deliveries where finished_at is null')
    return Number(row?.count)
  }
  await until(async () => ((await unfinished()) === 0 ? true : undefined)).catch(() => {})
  return unfinished()
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  // A killed backend takes all connections of the server with it.
  client.on('error', () => {})
  await client.connect()
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end().catch(() => {}))
}

/** The same numbers for the same seed (mulberry32). */
function randomNumbers(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
