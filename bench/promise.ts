import { cpus } from 'node:os'
import { sql } from 'kysely'
import { readConfig } from '../src/platform/config/config.ts'
import type { ShopContext } from '../src/platform/foundation/context.ts'
import { listDeliveryPromises } from '../src/promises/operations.ts'
import { type Service, startService } from '../src/service.ts'
import { findShopIdentity } from '../src/shops/shops/store.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { sendAndWait, startProcess } from './lib/processes.ts'
import { authorization, serviceSettings, startServiceProcess } from './lib/service.ts'
import type { Load, Measured } from './load.ts'
import { median, printTable } from './table.ts'

const methodCount = 200
const journeyCount = Number(process.env.BENCH_JOURNEYS ?? 20_000)
const calls = Number(process.env.BENCH_CALLS ?? 3_000)
const warmUp = Math.ceil(calls / 10)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

const carriers = ['dhl', 'ups', 'dpd', 'gls', 'hermes', 'fedex', 'tnt', 'postnl', 'bpost', 'colissimo']
const countries = 'DE AT CH FR NL BE LU IT ES PT PL CZ SK HU DK SE FI IE GB LV'.split(' ')
/** In 90 regions: their responses stay in the cache. */
const zips = Array.from({ length: 500 }, (_, index) => String(10_000 + index * 179))

/** In more regions than the cache holds: none of them is found again. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const newRegions = letters.flatMap((one) => letters.map((other) => `${one}${other}1`))

/** Both shops have 200 methods. In one, ten deliver to each country; in the other, all of them deliver to Germany. */
const shops = [
  { slug: 'ten-a-country', name: '10 promises', countryOf: (index: number) => [countries[index % 20] ?? 'DE'] },
  { slug: 'all-to-one', name: '200 promises', countryOf: () => ['DE'] },
]

if (process.env.BENCH_DATABASE_URL === undefined) throw new Error('BENCH_DATABASE_URL is not set')
console.log(
  `Node ${process.version}, ${cpus().length} cores, ${methodCount} methods, ${journeyCount} journeys on ${methodCount} routes, PostgreSQL\n`,
)
const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
try {
  await measureOwnTime()
  await measureThroughput()
} finally {
  await own.drop()
}

async function measureOwnTime(): Promise<void> {
  const settings = { ...serviceSettings, ROLE: 'api', DATABASE_URL: own.url }
  const service = await startService(readConfig(settings), { listen: false })
  const rows: string[][] = []
  try {
    for (const { slug, name, countryOf } of shops) {
      const context = await fill(service, slug, countryOf)
      const ask = async (zip_code: string) => {
        const query = { country_code: 'DE', zip_code }
        await listDeliveryPromises.handle(context, { path: { slug }, query, body: undefined, upload: undefined })
      }
      rows.push([
        name,
        'own time: a new answer',
        ...(await time((call) => ask(newRegions[call % newRegions.length] ?? ''))),
      ])
      rows.push([name, 'own time: a kept answer', ...(await time((call) => ask(zips[call % zips.length] ?? '')))])
      let bytes = 0
      const requested = await time(async (call) => {
        const url = `/v1/shops/${slug}/delivery-promises?country_code=DE&zip_code=${zips[call % zips.length]}`
        const { statusCode, payload } = await service.app.inject({ url, headers: { authorization } })
        if (statusCode !== 200) throw new Error(payload)
        bytes = payload.length
      })
      rows.push([name, `whole request, ${Math.round(bytes / 100) / 10} KB of JSON`, ...requested])
    }
  } finally {
    await service.stop()
  }
  printTable(['reply', 'what', 'p50 ms', 'p99 ms', 'processor ms'], rows)
  console.log()
}

async function measureThroughput(): Promise<void> {
  const rows: string[][] = []
  const service = await startServiceProcess({ DATABASE_URL: own.url }, 'api')
  try {
    for (const { slug, name } of shops) {
      for (const connections of [1, 32]) {
        const measured: Measured[] = []
        for (let round = 0; round < rounds; round += 1) {
          const { child } = startProcess('../load.ts')
          const requests = zips.map((zip) => ({
            method: 'GET' as const,
            path: `/v1/shops/${slug}/delivery-promises?country_code=DE&zip_code=${zip}`,
            headers: { authorization },
          }))
          const load: Load = { url: `http://127.0.0.1:${service.port}`, connections, seconds, requests }
          measured.push((await sendAndWait(child, load)) as Measured) // its only message
          child.kill()
        }
        rows.push([
          name,
          String(connections),
          median(measured.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
          median(measured.map(({ p50Ms }) => p50Ms)).toFixed(2),
          median(measured.map(({ p99Ms }) => p99Ms)).toFixed(2),
          String(measured.reduce((sum, { failures }) => sum + failures, 0)),
        ])
      }
    }
  } finally {
    await service.stop()
  }
  printTable(['reply', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'failures'], rows)
}

/** A shop with methods, and with parcels that have arrived by each of them. */
async function fill(service: Service, slug: string, countryOf: (index: number) => string[]): Promise<ShopContext> {
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const { statusCode, payload: text } = await service.app.inject({ method, url, payload, headers: { authorization } })
    if (statusCode !== 200) throw new Error(text)
  }
  await send('POST', '/v1/shops', { name: slug, slug })
  const methods = Array.from({ length: methodCount }, (_, index) => ({
    name: `Method ${index}`,
    warehouse: 'Leipzig',
    carrier_reference: carriers[index % carriers.length] ?? 'dhl',
    service: `Service ${Math.floor(index / carriers.length)}`,
    countries: countryOf(index),
    shipping_classes: null,
    table_days: { min: 2, max: 4 },
  }))
  const hours = { '1': '14:00', '2': '14:00', '3': '14:00', '4': '14:00', '5': '12:00' }
  const leipzig = { name: 'Leipzig', country_code: 'DE', timezone: 'Europe/Berlin', cut_offs: hours }
  await send('PATCH', `/v1/shops/${slug}/delivery-promises/settings`, {
    warehouses: [{ ...leipzig, handling_days: 0, closed_days: [] }],
    methods,
  })
  const base = service.context()
  const shop = await findShopIdentity(base, slug)
  if (shop === undefined) throw new Error('the shop is not there')
  const wanted = JSON.stringify(
    methods.map(({ carrier_reference, service, countries }) => ({ carrier_reference, service, country: countries[0] })),
  )
  const { db } = service.database
  const number = sql`'B' || ${slug}::text || n`
  const id = sql`md5(${number})::uuid`
  const sent = sql`(${base.now}::timestamptz - interval '1 day' * (12 + n % 90) - interval '1 minute' * (n % 600))`
  const arrived = sql`(${sent} + interval '1 day' * (1 + (n * 7919) % 5))`
  const orders = sql`generate_series(1, ${journeyCount}::int) as n`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
      zip_code, created_at, updated_at)
    select ${shop.id}, ${id}, ${number}, ${number}, ${sent}, 1, '{"currency": "EUR"}',
      (10000 + (n * 179) % 89500)::text, ${sent}, ${sent}
    from ${orders}`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, service, origin_country,
      destination_country, direction, phase, flag, current_event_key, current_event_at, latest_event_at, placed_at,
      in_transit_at, delivered_at, is_scanned, created_at, updated_at)
    select ${shop.id}, ${id}, ${id}, ${number}, way ->> 'carrier_reference', way ->> 'service', 'DE', way ->> 'country',
      'merchant_customer', 'delivered', 'normal', 'SUCCESSFULLY_DELIVERED', ${arrived}, ${arrived}, ${sent},
      ${sent} + interval '8 hours', ${arrived}, true, ${sent}, ${arrived}
    from ${orders}, lateral (select ${wanted}::jsonb -> (n % ${methodCount}::int) as way) as of_method`.execute(db)
  return { ...base, shop }
}

async function time(call: (number: number) => Promise<void>): Promise<[p50: string, p99: string, cpu: string]> {
  for (let number = 0; number < warmUp; number += 1) await call(number)
  const timesMs: number[] = []
  const cpu = process.cpuUsage()
  for (let number = 0; number < calls; number += 1) {
    const startedAt = performance.now()
    await call(number)
    timesMs.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(cpu)
  timesMs.sort((left, right) => left - right)
  const quantile = (share: number) => (timesMs[Math.floor((timesMs.length - 1) * share)] ?? Number.NaN).toFixed(3)
  return [quantile(0.5), quantile(0.99), ((user + system) / 1_000 / calls).toFixed(3)]
}
