import pg from 'pg'
import type { Engine } from './database.ts'
import { preparing } from './prepared.ts'

const reconnectMs = 500

/** PostgreSQL over the network: a pool for the work, and one connection that listens. */
export async function openPostgres(url: string, poolSize: number): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'doorstep',
  })
  // A connection that breaks while idle is replaced by the pool; one that breaks in use fails its statement.
  pool.on('error', () => {})
  await pool.query('select 1')
  const listener = createListener(url)
  return {
    engine: 'postgres',
    pool: {
      async connect() {
        const client = await pool.connect()
        return preparing(client, () => client.release())
      },
      end: () => pool.end(),
    },
    listen: listener.listen,
    isListening: listener.isListening,
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

/** One connection that listens on every channel asked for, and comes back by itself when it is cut. */
function createListener(url: string) {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  let client: pg.Client | undefined
  let isOpen = true
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'doorstep listener', keepAlive: true })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => {
      for (const handle of handlers.get(channel) ?? []) handle(payload ?? '')
    })
    await next.connect()
    for (const channel of handlers.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (isOpen) client = next
    else await next.end()
  }

  function lost(cut: pg.Client): void {
    if (client === cut) client = undefined
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
    isListening: () => client !== undefined,
    async close(): Promise<void> {
      isOpen = false
      clearTimeout(retry)
      await client?.end()
    },
  }
}
