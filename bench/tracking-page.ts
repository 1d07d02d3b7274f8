import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from './lib/call.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { sendAndWait, startProcess } from './lib/processes.ts'
import { type RunningService, startServiceProcess } from './lib/service.ts'
import type { Load, Measured } from './load.ts'
import { median, printTable } from './table.ts'

const orderCount = Number(process.env.BENCH_ORDERS ?? 1_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const slug = 'pages'

const journey = [
  'ACCEPTED_BY_ORIGIN_OFFICE',
  'ARRIVED_AT_SORTING_CENTER',
  'DEPARTURE_FROM_TRANSPORT_HUB',
  'ARRIVAL_AT_TRANSPORT_HUB',
  'ARRIVAL_AT_FINAL_DELIVERY_CENTER',
  'OUT_FOR_DELIVERY',
]

/** Sequential requests measure the service's own time, concurrent ones its throughput. */
const connectionCounts = [1, 32]

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${orderCount} orders of 1 parcel and 8 events, median of ${rounds} runs of ${seconds} s each\n`,
)
const rows: string[][] = []
if (process.env.BENCH_DATABASE_URL) {
  const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
  await measureOn('PostgreSQL', { DATABASE_URL: own.url }).finally(own.drop)
}
if (process.env.BENCH_EMBEDDED !== '0') {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  await measureOn('embedded', { DATA_DIR: dataDir }).finally(() => rmSync(dataDir, { recursive: true, force: true }))
}
printTable(['store', 'connections', 'views/s', 'p50 ms', 'p99 ms', 'page bytes', 'failures'], rows)

async function measureOn(store: string, place: { DATABASE_URL: string } | { DATA_DIR: string }): Promise<void> {
  const service = await startServiceProcess(place)
  try {
    const paths = await fill(service)
    const { bytes } = await fetchPage(service, paths[0] ?? '')
    for (const connections of connectionCounts) {
      const measured: Measured[] = []
      for (let round = 0; round < rounds; round += 1) measured.push(await measure(service, paths, connections))
      rows.push([
        store,
        String(connections),
        median(measured.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
        median(measured.map(({ p50Ms }) => p50Ms)).toFixed(2),
        median(measured.map(({ p99Ms }) => p99Ms)).toFixed(2),
        String(bytes),
        String(measured.reduce((sum, { failures }) => sum + failures, 0)),
      ])
    }
  } finally {
    await service.stop()
  }
}

async function measure(service: RunningService, paths: string[], connections: number): Promise<Measured> {
  const { child } = startProcess('../load.ts')
  const headers = { accept: 'text/html', 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers }))
  const load: Load = { url: `http://127.0.0.1:${service.port}`, connections, seconds, requests }
  const measured = (await sendAndWait(child, load)) as Measured // its only message
  child.kill()
  return measured
}

async function fetchPage(service: RunningService, path: string): Promise<{ bytes: number }> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`)
  if (!response.ok) throw new Error(`the page returned ${response.status}`)
  return { bytes: (await response.arrayBuffer()).byteLength }
}

/** A shop with a campaign, a deal, an announcement and orders in transit; returns the paths of their pages. */
async function fill({ port }: RunningService): Promise<string[]> {
  const post = (path: string, body: unknown) => call(port, 'POST', `/v1/shops/${slug}${path}`, body)
  await call(port, 'POST', '/v1/shops', { slug, name: 'River & Pine', language: 'de' })
  await post('/announcements', { text: 'Parcels take a day longer before the holidays.', language: 'de' })
  await post('/campaigns', {
    name: 'Warm socks',
    segment: 'default',
    promotion_type: 'basic',
    enabled: true,
    promotion_properties: { title: 'Warm feet', cta_label: 'To the socks', cta_url: 'https://shop.example/socks' },
  })
  const discount = await post('/discounts', { type: 'order', code: 'WELCOME10' })
  const discount_id = discount.headers.get('location')?.split('/').at(-1)
  await post('/deals', { discount_id, title: 'A tenth off', cta_url: 'https://shop.example/deal' })
  const paths: string[] = []
  for (let start = 0; start < orderCount; start += 20) {
    const numbers = Array.from({ length: Math.min(20, orderCount - start) }, (_, index) => start + index)
    paths.push(...(await Promise.all(numbers.map((number) => send(port, number)))))
  }
  return paths
}

async function send(port: number, number: number): Promise<string> {
  const trackingNumber = `PARCEL${100_000 + number}`
  const address = {
    name: 'Ada Example',
    street: 'Example Street 1',
    zip_code: '10115',
    city: 'Berlin',
    country_code: 'DE',
  }
  const products = [
    {
      title: 'Rain jacket',
      quantity: 1,
      price: 89.9,
      sku: 'RJ-42',
      images: [{ src: 'https://shop.example/jacket.jpg' }],
    },
    { title: 'Wool socks', quantity: 2, price: 12.5, sku: 'SO-1', images: [{ src: 'https://shop.example/socks.jpg' }] },
  ]
  const orderNumber = String(10_000 + number)
  await call(port, 'PUT', `/v1/shops/${slug}/orders`, {
    id: orderNumber,
    order: {
      order_number: orderNumber,
      external_id: `external-${orderNumber}`,
      email_id: `customer-${number}@example.com`,
      address,
      products,
    },
    trackings: [{ tracking_number: trackingNumber, carrier_reference: 'dhl' }],
  })
  for (const event_name of journey) {
    await call(port, 'POST', `/v1/shops/${slug}/shipment-events`, { id: trackingNumber, event_name })
  }
  const response = await call(port, 'POST', `/v1/shops/${slug}/orders/trackpage-url`, { id: orderNumber })
  const { url } = (await response.json()) as { url: string } // as the API describes it
  return new URL(url).pathname
}
