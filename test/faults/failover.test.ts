import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { deliveryLeaseMs } from '../../src/delivery/queue/retry.ts'
import { operations } from '../../src/operations.ts'
import { expectAllDelivered, makeStreamShop, streamEvents, streamShop } from '../harness/event-stream.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { findPostgresPrograms, startPostgresPair } from '../harness/postgres-server.ts'
import { basic, callApi, makeFolder, operator, sharedByTests, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const programs = findPostgresPrograms()
const eventsBetween = 50
const reason = programs === undefined ? ' (skipped: PostgreSQL is not installed)' : ''

describe.skipIf(reason !== '')(`a synchronous standby${reason}`, () => {
  const shared = sharedByTests(async (cleanup) => {
    const receiver = await startReceiver()
    cleanup(() => receiver.close())
    const pair = await startPostgresPair(programs ?? '', cleanup)
    const settings = {
      DATA_DIR: makeFolder(cleanup),
      DATABASE_URL: pair.url,
      DATABASE_REPLICA_URL: pair.standby.url,
      DATABASE_REPLICA_MAX_LAG: '2',
      ADMIN_API_KEY: operator.apiKey,
      WEBHOOK_RETRY_BASE_MS: '100',
      LOG_LEVEL: 'fatal',
    }
    const service = await start(settings, { hasMovableClock: true, cleanup })
    await makeStreamShop(service, operator, receiver)
    return { receiver, pair, service }
  })

  it('serves the reads that may be seconds old, and none of them writes or locks', async () => {
    const { service } = shared()
    await untilReplicaReads(service)
    let before = await readsOf(service)
    for (const { name, method, path } of mayReadReplica) {
      expect(method, name).toBe('GET')
      const address = path.replace('{slug}', streamShop).replace('{uuid}', '00000000-0000-4000-8000-000000000000')
      // On a busy machine the standby may be behind for a moment. One that fails an operation never does it alone.
      await until(async () => {
        const { status } = await get(service, `${address}${queries.get(name) ?? ''}`)
        expect([200, 404], name).toContain(status)
        const [earlier, later] = [before, await readsOf(service)]
        before = later
        return later.replica === earlier.replica + 1 && later.primary === earlier.primary ? true : undefined
      }).catch(() => expect.fail(`${name} was never read from the standby alone`))
    }
  })

  it('shows callers what they have changed, and is not used while it is too far behind', async () => {
    const { pair, service } = shared()
    await untilReplicaReads(service)
    await query(pair.standby.url, 'select pg_wal_replay_pause()')
    try {
      const order = upsertOf(uniqueNumber('OWN'), { order_placed_at: undefined })
      expect(await callApi(service, operator, 'PUT /v1/shops/stream/orders', { body: order })).toMatchObject({
        status: 200,
      })
      expect(await find(service, order.id)).toBe(1)
      // Longer than a caller's own changes matter: the replica still has not replayed them.
      const { replica } = await readsOf(service)
      await until(async () => ((await lagOf(service)) === undefined ? true : undefined))
      expect(await find(service, order.id)).toBe(1)
      expect((await readsOf(service)).replica).toBe(replica)
    } finally {
      await query(pair.standby.url, 'select pg_wal_replay_resume()')
    }
    await untilReplicaReads(service)
  })

  it('is skipped while it hangs', async () => {
    const { pair, service } = shared()
    await untilReplicaReads(service)
    pair.standby.freeze()
    try {
      expect(await get(service, search)).toMatchObject({ status: 200 })
      expect(await get(service, search)).toMatchObject({ status: 200 })
    } finally {
      pair.standby.resume()
    }
    await untilReplicaReads(service)
  })

  it('takes over when it is promoted: no accepted event is lost, and deliveries continue', async () => {
    const { receiver, pair, service } = shared()
    const stream = streamEvents(() => service, operator)
    await stream.until(eventsBetween)
    pair.primary.kill()
    await until(() => ((stream.refused.get(503) ?? 0) > 0 ? true : undefined))
    await pair.standby.promote()
    const promotedAt = performance.now()
    const before = stream.accepted.size
    await stream.until(before + 1)
    const tookMs = Math.round(performance.now() - promotedAt)
    await stream.until(before + eventsBetween)
    await stream.stop()
    console.log(`${tookMs} ms from the promotion to the first accepted event`)
    // An event that was committed just before its response was lost already exists when it is sent again: 409.
    expect([503, 409]).toEqual(expect.arrayContaining([...stream.refused.keys()]))
    // Deliveries that were claimed when the primary died become due again when their lease ends.
    await service.advance(deliveryLeaseMs)
    await expectAllDelivered(stream, receiver)
    expect(service.child.exitCode).toBeNull()
  })

  it('is the only primary, even if the former one comes back', async () => {
    const { pair, service } = shared()
    await pair.primary.start()
    pair.standby.freeze()
    await until(async () => ((await statusOfWrite(service)) === 503 ? true : undefined))
    // The former primary accepts writes, and would lose them: it is not used.
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await statusOfWrite(service)).toBe(503)
    pair.standby.resume()
    await until(async () => ((await statusOfWrite(service)) === 200 ? true : undefined))
  })
})

const mayReadReplica = operations.filter(({ reads }) => reads === 'replica')
const queries = new Map([['searchShop', '?q=F']])
const search = '/v1/shops/stream/search?q=F'

function get(service: { url: string }, path: string): Promise<{ status: number; text: string }> {
  return fetch(`${service.url}${path}`, { headers: { authorization: basic(operator) } }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }))
}

async function find(service: { url: string }, text: string): Promise<number> {
  const { body } = await callApi(service, operator, `GET /v1/shops/stream/search?q=${text}`)
  return (body as { matches: unknown[] }).matches.length
}

async function readsOf(service: { url: string }): Promise<{ replica: number; primary: number }> {
  const { text } = await get(service, '/metrics')
  const count = (server: string) => Number(metricOf(text, `doorstep_replica_reads_total{server="${server}"}`))
  return { replica: count('replica'), primary: count('primary') }
}

/** Undefined while it is too far behind to tell. */
async function lagOf(service: { url: string }): Promise<string | undefined> {
  return metricOf((await get(service, '/metrics')).text, 'doorstep_replica_lag_seconds{replica="1"}')
}

function metricOf(text: string, name: string): string | undefined {
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

async function untilReplicaReads(service: { url: string }): Promise<void> {
  await until(async () => {
    const { replica } = await readsOf(service)
    await get(service, search)
    return (await readsOf(service)).replica > replica ? true : undefined
  })
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

let written = 0

async function statusOfWrite(service: { url: string }): Promise<number> {
  written += 1
  const slug = `written-${written}`
  return (await callApi(service, operator, 'POST /v1/shops', { body: { name: slug, slug } })).status
}
