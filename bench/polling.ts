import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { aftership } from '../src/adapters/carriers/aftership/description.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { type Clock, hourMs, secondMs } from '../src/platform/foundation/clock.ts'
import { type Service, startService } from '../src/service.ts'
import type { ProviderCounts, ProviderSettings } from './lib/aftership-server.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { sendAndWait, startProcess } from './lib/processes.ts'
import { authorization, serviceSettings } from './lib/service.ts'
import { printTable } from './table.ts'

const shipments = Number(process.env.BENCH_SHIPMENTS ?? 100_000)
const shops = Number(process.env.BENCH_SHOPS ?? 20)
const hours = Number(process.env.BENCH_HOURS ?? 30)
const { limit, parcelsPerRequest } = aftership

/** The journey of every parcel: the scans that AfterShip has that long after it was sent. */
const journey = [
  { afterMs: 2 * hourMs, subtag: 'InTransit_003' },
  { afterMs: 8 * hourMs, subtag: 'InTransit_007' },
  { afterMs: 23 * hourMs, subtag: 'OutForDelivery_001' },
  { afterMs: 24 * hourMs, subtag: 'Delivered_001' },
]

/** Runs at normal speed, and is moved forward when nothing is due. */
class BenchClock implements Clock {
  #offsetMs = 0

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  /** Moves the clocks of the provider and then of the service. */
  async advance(ms: number): Promise<void> {
    await sendAndWait(provider.child, { offsetMs: this.#offsetMs + ms })
    this.#offsetMs += ms
  }
}

// Memory is measured after a garbage collection.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag provides it
const clock = new BenchClock()
const sentAt = clock.now()
const settings: ProviderSettings = { limit, sentAtMs: sentAt.getTime(), journey }
const provider = startProcess('./aftership-server.ts', JSON.stringify(settings))
const { port } = (await provider.ready) as { port: number }
console.log(
  `Node ${process.version}, ${cpus().length} cores, ${shipments} shipments of ${shops} shops tracked for ${hours} hours;` +
    ` ${limit.requests} requests in ${limit.perMs} ms for each shop, ${parcelsPerRequest} parcels per request`,
)
if (process.env.BENCH_DATABASE_URL) {
  const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
  await measure('PostgreSQL', { DATABASE_URL: own.url }).finally(own.drop)
} else {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  await measure('Embedded store', { DATA_DIR: dataDir }).finally(() =>
    rmSync(dataDir, { recursive: true, force: true }),
  )
}
provider.child.kill()

async function measure(title: string, store: Record<string, string>): Promise<void> {
  const config = readConfig({ ...serviceSettings, ...store, PORT: '0', LOG_LEVEL: 'error' })
  const service = await startService(config, {
    clock,
    listen: false,
    providerUrls: { aftership: `http://127.0.0.1:${port}` },
  })
  try {
    await load(service)
    await sql`vacuum analyze`.execute(service.database.db)
    const rows: string[][] = []
    const startedAt = performance.now()
    for (let hour = 1; hour <= hours; hour += 1) {
      await followUntil(service, sentAt.getTime() + hour * hourMs)
      if (hour % Math.ceil(hours / 10) === 0 || hour === hours) rows.push(await rowOf(service, hour))
    }
    const seconds = (performance.now() - startedAt) / 1_000
    console.log(`\n${title}`)
    printTable(['hour', 'requests', 'polls', 'most in a window', 'events', 'rss MB', 'heap MB'], rows)
    const events = Number(rows.at(-1)?.[4])
    const counts = await countsOf()
    console.log(
      `\n${seconds.toFixed(0)} s; ${(counts.polls / seconds).toFixed(0)} polls and ${(events / seconds).toFixed(0)} events per second`,
    )
    if (counts.mostInWindow > limit.requests) throw new Error('the limit was exceeded')
    // The last poll in transit may be a little more than three hours before the delivery.
    if (hours >= 28 && events !== shipments * journey.length) throw new Error('events are missing')
  } finally {
    await service.stop()
  }
}

/** Polls what is due, second by second while there is more, and otherwise moves on to the next due time. */
async function followUntil(service: Service, endMs: number): Promise<void> {
  const parcels = service.workers?.parcels
  while (clock.now().getTime() < endMs) {
    await parcels?.sweep()
    await parcels?.idle()
    const { rows } = await sql<{ at: Date | null }>`
      select min(next_poll_at) as at from tracked_parcels where finished_at is null`.execute(service.database.db)
    const waitMs = (rows[0]?.at?.getTime() ?? endMs) - clock.now().getTime()
    await clock.advance(
      Math.min(endMs - clock.now().getTime(), waitMs <= 0 ? secondMs : Math.max(30 * secondMs, waitMs)),
    )
  }
}

async function rowOf(service: Service, hour: number): Promise<string[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from shipment_events where source = 'carrier'`.execute(service.database.db)
  collectGarbage()
  const { rss, heapUsed } = process.memoryUsage()
  const inMegabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0)
  const { requests, polls, mostInWindow } = await countsOf()
  const figures = [hour, requests, polls, mostInWindow, rows[0]?.count ?? 0]
  const row = [...figures.map(String), inMegabytes(rss), inMegabytes(heapUsed)]
  console.log(`hour ${row.join(', ')}`)
  return row
}

/** Creates shops through the API and their shipments directly in the database, already registered with AfterShip. */
async function load(service: Service): Promise<void> {
  const call = async (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object) => {
    const { statusCode, body } = await service.app.inject({ method, url, payload, headers: { authorization } })
    if (statusCode !== 200) throw new Error(`${method} ${url}: ${body}`)
  }
  for (let shop = 0; shop < shops; shop += 1) {
    const path = `/v1/shops/shop-${shop}`
    await call('POST', '/v1/shops', { name: 'Shop', slug: `shop-${shop}`, settings: { carriers_enabled: true } })
    await call('PUT', `${path}/keys/aftership`, { api_key: `asat_the-account-of-${String(shop).padStart(6, '0')}` })
    await call('PATCH', `${path}/settings/carriers/providers`, { aftership: { status: 'live' } })
  }
  const { db } = service.database
  const numbered = sql`
    generate_series(1, ${sql.lit(shipments)}) as n
    join shops on shops.slug = 'shop-' || n % ${sql.lit(shops)}`
  const id = sql`('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, zip_code, order_placed_at,
      expected_number_of_shipments, details, created_at, updated_at)
    select shops.id, ${id}, n::text, n::text, '10115', ${sentAt}, 1, '{}', ${sentAt}, ${sentAt} from ${numbered}`.execute(
    db,
  )
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, direction, phase, flag,
      current_event_key, current_event_at, latest_event_at, placed_at, destination_country, created_at, updated_at)
    select shops.id, ${id}, ${id}, 'PARCEL' || n, 'dhl', 'merchant_customer', 'order_processed', 'normal',
      'ORDER_PROCESSED', ${sentAt}, ${sentAt}, ${sentAt}, 'DE', ${sentAt}, ${sentAt}
    from ${numbered}`.execute(db)
  await sql`
    insert into tracked_parcels (shop_id, shipment_id, carrier_reference, tracking_number, fulfilled_at, next_poll_at,
      registered_with, registered_at)
    select shops.id, ${id}, 'dhl', 'PARCEL' || n, ${sentAt}, ${sentAt}, 'aftership', ${sentAt} from ${numbered}`.execute(
    db,
  )
}

async function countsOf(): Promise<ProviderCounts> {
  return (await sendAndWait(provider.child, { reportCounts: true })) as ProviderCounts
}
