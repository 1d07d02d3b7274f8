import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../src/platform/config/config.ts'
import { createDatabase } from '../../src/platform/store/database.ts'
import type { Engine } from '../../src/platform/store/engine.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { startService } from '../../src/service.ts'
import { shopNumber } from './dataset.ts'
import type { Orders } from './measure.ts'
import { type KindName, kinds } from './requests.ts'
import { authorization, serviceSettings } from './service.ts'

const clients = 16

/** The statements of one request, as pgbench runs them for any order. */
export interface Script {
  kind: KindName
  text: string
}

interface Statement {
  text: string
  values: unknown[]
}

/** The time at which all recorded requests are made; pgbench replaces its fraction of a second. */
const recordedAt = new Date('2026-11-14T12:00:00.123Z')
const recordedFraction = '.123Z'

/** Sends the service one request of each kind, with warm caches, and records the statements it runs. */
export async function recordScripts(databaseUrl: string, orders: Orders, names: KindName[]): Promise<Script[]> {
  const statements: Statement[] = []
  const engine = await openPostgres(databaseUrl, 2)
  const service = await startService(
    readConfig({ ...serviceSettings, DATABASE_URL: databaseUrl, DATA_DIR: tmpdir() }),
    {
      database: await createDatabase({ ...engine, pool: recording(engine.pool, statements) }),
      clock: { now: () => recordedAt },
      listen: false,
    },
  )
  try {
    const scripts: Script[] = []
    for (const kind of names) {
      const { dataset } = orders
      const { from } = orders.left(kind)
      // A warm-up request for the same shop, so that the recorded one does what every later request does.
      const [first, second] = [from, from + dataset.shops]
      orders.use(kind, dataset.shops + 1)
      for (const order of [first, second]) {
        statements.length = 0
        const { method, path, body } = kinds[kind].request(dataset, order, recordedAt) as {
          method: 'GET'
          path: string
          body?: object
        }
        const { statusCode, payload } = await service.app.inject({
          method,
          url: path,
          headers: { authorization },
          payload: body,
        })
        if (statusCode >= 300) throw new Error(`${kind} returned ${statusCode}: ${payload}`)
      }
      scripts.push({ kind, text: toScript(statements, second, shopNumber(dataset, second), dataset.shops) })
    }
    return scripts
  } finally {
    await service.stop()
  }
}

function recording(pool: Engine['pool'], statements: Statement[]): Engine['pool'] {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect()
      return {
        query(text: unknown, values?: unknown[]) {
          if (typeof text === 'string') statements.push({ text, values: values ?? [] })
          return client.query(text, values)
        },
        release: () => client.release(),
      }
    },
  }
}

/** The number of the recorded order, that of its shop, generated ids and the time become variables. */
function toScript(statements: Statement[], order: number, shop: number, shops: number): string {
  const made = new Map<string, string>()
  const quote = (text: string) => {
    // A colon begins a variable, even within quotes.
    const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')
    const varied = escaped
      .replaceAll(String(order), "' || :n || E'")
      .replaceAll(String(shop), "' || :s || E'")
      .replaceAll(recordedFraction, ".' || :f || E'Z")
      .replaceAll(/019(?!a000)[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!made.has(id)) made.set(id, `019b000${made.size}-0000-7000-8000-' || :n || E'`)
        return made.get(id) ?? ''
      })
    return `(E'${varied}')`
  }
  const literal = (value: unknown): string => {
    if (value === null || value === undefined) return 'null'
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (value instanceof Date) return `${quote(value.toISOString())}::timestamptz`
    const text = String(value)
    return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) ? `${quote(text)}::uuid` : quote(text)
  }
  return [
    '\\set i :i + 1',
    '\\set n :is_random * random(:from, :from + :count - 1) + (1 - :is_random) * (:from + :i * :clients + :client_id)',
    `\\set s ${shop - (order % shops)} + :n % ${shops}`,
    '\\set f random(100000, 999999)',
    ...statements.map(
      ({ text, values }) => `${text.replaceAll(/\$(\d+)/g, (_, index) => literal(values[Number(index) - 1]))};`,
    ),
  ].join('\n')
}

/** Transactions per second of a script with 16 clients, each of which sends one statement after the other. */
export async function runPgbench(
  databaseUrl: string,
  script: Script,
  orders: Orders,
  seconds: number,
): Promise<number> {
  const { about } = kinds[script.kind]
  const { from, count } = orders.left(script.kind)
  const each = Math.floor(Math.min(count, 10_000) / clients)
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  try {
    const file = join(folder, 'script.sql')
    writeFileSync(file, script.text)
    const variables = { i: -1, from, count, clients, is_random: about === 'orders' ? 1 : 0 }
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-f', file],
      ...(about === 'drafts' ? ['-t', String(each)] : ['-T', String(seconds)]),
      ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      databaseUrl,
    ])
    const done = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
    // Clients differ in speed: the fastest may be far ahead of the average.
    orders.use(script.kind, about === 'drafts' ? each * clients : done * 3)
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
