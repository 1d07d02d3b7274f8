import pg from 'pg'
import type { Engine } from './engine.ts'
import { preparing } from './prepared.ts'

const reconnectMs = 500
const connectionTimeoutMillis = 10_000

/**
 * Every statement is written for an index. Planned while a table is small, it would scan the whole table, and prepared
 * statements keep that plan while the table grows: 200 deliveries per second instead of thousands in the first minute of a
 * new store. A statement without an index still scans.
 */
const plannerOptions = '-c enable_seqscan=off -c jit=off'

/** The database cannot be reached, or rejects us; the message says why, without the address and the password. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    // If a name has several addresses, each has failed for a reason of its own.
    const [first = cause] = cause instanceof AggregateError ? cause.errors : []
    super(`The database of DATABASE_URL does not let us in: ${first instanceof Error ? first.message : String(first)}`)
    this.name = 'DatabaseUnreachable'
  }
}

/** PostgreSQL over the network: a pool for the work, and one connection that listens. */
export async function openPostgres(url: string, poolSize: number): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis,
    idleTimeoutMillis: 60_000,
    application_name: 'doorstep',
    options: plannerOptions,
    pipeline: true,
  })
  // A connection that breaks while idle is replaced by the pool; one that breaks in use fails its statement.
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (error) {
    throw new DatabaseUnreachable(error)
  }
  const listener = createListener(url)
  return {
    engine: 'postgres',
    pool: {
      async connect() {
        const client = await pool.connect()
        // The pool handles errors of idle clients only: an unhandled one would end the process.
        client.on('error', failItsStatement)
        return preparing(client, () => {
          client.removeListener('error', failItsStatement)
          client.release()
        })
      },
      end: () => pool.end(),
    },
    listen: listener.listen,
    listeningSince: listener.listeningSince,
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

/** The statement in flight fails by itself, and the pool drops a broken client when it is released. */
function failItsStatement(): void {}

/** One connection that listens on all channels, and reconnects when it is lost. */
function createListener(url: string) {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  let client: pg.Client | undefined
  let since: number | undefined
  let isOpen = true
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'doorstep listener',
      keepAlive: true,
      connectionTimeoutMillis,
    })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => {
      for (const handle of handlers.get(channel) ?? []) handle(payload ?? '')
    })
    await next.connect()
    for (const channel of handlers.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (!isOpen) return next.end()
    client = next
    since = performance.now()
  }

  function lost(cut: pg.Client): void {
    // A connection can end a second time, as an error and as an end; by then the next one may be there.
    if (client !== undefined && client !== cut) return
    client = undefined
    since = undefined
    if (!isOpen || retry) return
    retry = setTimeout(() => {
      retry = undefined
      connect().catch(() => lost(cut))
    }, reconnectMs)
  }

  return {
    async listen(channel: string, handle: (payload: string) => void): Promise<void> {
      const existing = handlers.get(channel)
      if (existing) {
        existing.push(handle)
        return
      }
      handlers.set(channel, [handle])
      if (client) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      else await connect()
    },
    listeningSince: () => since,
    async close(): Promise<void> {
      isOpen = false
      clearTimeout(retry)
      await client?.end()
    },
  }
}
