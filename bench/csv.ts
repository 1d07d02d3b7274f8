import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createOwnDatabase } from './lib/own-database.ts'
import { authorization, type RunningService, startServiceProcess } from './lib/service.ts'
import { printTable } from './table.ts'

const rowCount = Number(process.env.BENCH_ROWS ?? 1_000_000)
const slug = 'bench'
const everyMs = 1_000
const boundary = 'part-of-the-benchmark'

console.log(`Node ${process.version}, ${cpus().length} cores, ${rowCount} rows, an order each`)
if (process.env.BENCH_DATABASE_URL) {
  const own = await createOwnDatabase(process.env.BENCH_DATABASE_URL)
  await measureStore('PostgreSQL', { DATABASE_URL: own.url }).finally(own.drop)
}
if (process.env.BENCH_EMBEDDED !== '0') {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  await measureStore('Embedded store', { DATA_DIR: dataDir }).finally(() =>
    rmSync(dataDir, { recursive: true, force: true }),
  )
}

interface Measured {
  what: string
  seconds: number
  /** Resident memory of the service's process in megabytes, measured every second. */
  memory: number[]
}

async function measureStore(title: string, store: Parameters<typeof startServiceProcess>[0]): Promise<void> {
  const service = await startServiceProcess(store)
  try {
    await call(service, 'POST', '/v1/shops', { name: slug, slug })
    const measured = [
      await measure('upload', service, async () => void (await upload(service, false))),
      await measure('import', service, () => finished(service, 'created')),
      await measure('dry run of the same file', service, async () => {
        await upload(service, true)
        await finished(service, 'unchanged')
      }),
      await measure('export', service, () => download(service)),
    ]
    console.log(`\n${title}`)
    printTable(
      ['what', 'seconds', 'rows per second', 'MB, first second', 'MB, highest', 'MB over time'],
      measured.map(({ what, seconds, memory }) => [
        what,
        seconds.toFixed(1),
        (rowCount / seconds).toFixed(0),
        String(memory[0] ?? 0),
        String(Math.max(...memory)),
        along(memory).join(' '),
      ]),
    )
  } finally {
    await service.stop()
  }
}

async function measure(what: string, service: RunningService, work: () => Promise<void>): Promise<Measured> {
  const memory = [memoryOf(service)]
  const timer = setInterval(() => memory.push(memoryOf(service)), everyMs)
  const start = performance.now()
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  memory.push(memoryOf(service))
  const seconds = (performance.now() - start) / 1_000
  console.log(`${what}: ${seconds.toFixed(1)} s`)
  return { what, seconds, memory }
}

function memoryOf({ pid }: RunningService): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024)
}

/** Ten of the values, evenly spread. */
function along(memory: number[]): number[] {
  return memory.filter((_, index) => index % Math.ceil(memory.length / 10) === 0)
}

/** Yields the form row by row, so that it is never in memory as a whole. */
function* form(isDryRun: boolean): Generator<string> {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\n${isDryRun}\r\n`
  yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\n\r\n`
  yield 'order_number,external_id,order_name,order_placed_at,email_id,name,street,city,zip_code,country_code,currency,total_order_price,product_title,product_sku,product_quantity,product_price,tracking_number,carrier_reference\n'
  for (let from = 0; from < rowCount; from += 1_000) {
    const rows: string[] = []
    for (let n = from; n < Math.min(from + 1_000, rowCount); n += 1) {
      rows.push(
        `${n},ext-${n},#${n},2026-01-01T09:30:00Z,customer-${n}@example.com,Ada Example,"Example Street ${n % 200}, 2nd floor",Berlin,10115,DE,EUR,94.85,Rain jacket,RJ-42,1,89.90,TRACK${n},dhl\n`,
      )
    }
    yield rows.join('')
  }
  yield `\r\n--${boundary}--\r\n`
}

async function upload(service: RunningService, isDryRun: boolean): Promise<void> {
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const path = `/v1/shops/${slug}/imports/orders`
  const sent = request({ host: '127.0.0.1', port: service.port, method: 'POST', path, headers })
  const responded = new Promise<number>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  await pipeline(Readable.from(form(isDryRun)), sent)
  const status = await responded
  if (status !== 200) throw new Error(`the upload returned ${status}`)
}

/** Fails if a row did not get its expected result: the rate would mean nothing. */
async function finished(service: RunningService, outcome: 'created' | 'unchanged'): Promise<void> {
  for (;;) {
    const [latest] = (await call(service, 'GET', `/v1/shops/${slug}/imports?per_page=1`)) as [Record<string, unknown>]
    if (latest.status === 'completed' && latest[outcome] === rowCount) return
    if (latest.finished_at !== null) throw new Error(`the import ended as ${JSON.stringify(latest)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function download(service: RunningService): Promise<void> {
  const path = `/v1/shops/${slug}/exports/shipments.csv`
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { authorization } })
  let lines = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of piece) if (byte === 0x0a) lines += 1
  }
  if (lines !== rowCount + 1) throw new Error(`the file has ${lines} lines`)
}

async function call(service: RunningService, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.json()
}
