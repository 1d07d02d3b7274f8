import pg from 'pg'
import { secondMs } from '../foundation/clock.ts'
import { afterFreeTime } from '../foundation/free-time.ts'
import { isReadOnly, isStoreUnreachable } from './errors.ts'
import type { SessionOptions } from './session-options.ts'

export interface ServerAddress {
  connectionString: string
  /** Whether a server that is read-only is rejected. */
  needsWrites: boolean
  options: SessionOptions
}

/** How long to wait for a connection: a new one, or a free one of the pool. */
const connectMs = 5_000
/** How long the statements in flight may take once a server is no longer used. */
const graceMs = 5_000

/** The server does not accept writes, or not those of the newest primary. */
class NotWritable extends Error {
  readonly code = '25006'
}

/** The server took longer than it may. */
class NoResponse extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs / secondMs} s`)
  }
}

/** A connection that is there only if the server accepts writes, unless that does not matter. */
class CheckedClient extends pg.Client {
  readonly #needsWrites: boolean

  constructor(config: pg.ClientConfig & { needsWrites?: boolean } = {}) {
    super(config)
    this.#needsWrites = config.needsWrites ?? false
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  // biome-ignore lint/suspicious/noConfusingVoidType: the driver's own declaration
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const connected = this.#connect()
    if (callback === undefined) return connected
    // The pool calls it without an error on success.
    connected.then(() => (callback as () => void)(), callback)
  }

  async #connect(): Promise<pg.Client> {
    await super.connect()
    if (!this.#needsWrites) return this
    const { rows } = await this.query(`select current_setting('transaction_read_only')::boolean as "isReadOnly"`)
    if (rows[0]?.isReadOnly) throw new NotWritable('the server is read-only')
    return this
  }
}

/** One server: a pool of connections for the work, and single ones. */
export class Server {
  readonly #config: pg.ClientConfig & { needsWrites: boolean }
  readonly #options: SessionOptions
  readonly #pool: pg.Pool
  readonly #clients = new Set<pg.Client>()
  #isLeft = false

  constructor({ connectionString, needsWrites, options }: ServerAddress, poolSize: number) {
    this.#options = options
    this.#config = {
      connectionString,
      needsWrites,
      application_name: 'doorstep',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    }
    const clients = this.#clients
    const Client = class extends CheckedClient {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, options: options.text })
        clients.add(this)
        this.once('end', () => clients.delete(this))
        // An error of a client that nobody listens to would end the process; its statement fails by itself.
        this.on('error', () => {})
      }
    }
    this.#pool = new pg.Pool({
      ...this.#config,
      Client,
      max: poolSize,
      idleTimeoutMillis: 60_000,
      pipeline: true,
    } as pg.PoolConfig)
    // A connection that breaks while idle is replaced by the pool; one that breaks in use fails its statement.
    this.#pool.on('error', () => {})
  }

  /** Whether it ends statements whose client is gone. */
  get checksClients(): boolean {
    return this.#options.checksClients
  }

  /** A connection of the pool. */
  connect(): Promise<pg.PoolClient> {
    return this.#options.connect(() => this.#pool.connect())
  }

  /** A connection of its own. */
  open(applicationName: string, timeoutMs = connectMs): Promise<pg.Client> {
    return this.#options.connect(() => this.#open(applicationName, timeoutMs))
  }

  async #open(applicationName: string, timeoutMs: number): Promise<pg.Client> {
    const client = new CheckedClient({
      ...this.#config,
      options: this.#options.text,
      application_name: applicationName,
      connectionTimeoutMillis: 0,
    })
    client.on('error', () => {})
    // The driver's own limit ends with the connection, before the server has said whether it accepts writes, and counts time in
    // which this process was too busy to read the response.
    let isSilent = false
    const cancel = afterFreeTime(timeoutMs, () => {
      isSilent = true
      client.connection.stream.destroy()
    })
    try {
      await client.connect()
      return client
    } catch (error) {
      client.connection.stream.destroy()
      throw isSilent ? new NoResponse(timeoutMs) : error
    } finally {
      cancel()
    }
  }

  /** Whether an error of connect() means that another server has to be found. */
  static isGone(error: unknown): boolean {
    const { code, message } = error as { code?: string; message?: string }
    // A full server and a busy pool are still the primary.
    return (
      isReadOnly(error) || (isStoreUnreachable(error) && code !== '53300' && !/^timeout exceeded/.test(message ?? ''))
    )
  }

  /** Breaks all connections of the pool, and the statements in flight with them. */
  cut(): void {
    for (const client of this.#clients) client.connection.stream.destroy()
  }

  /** Ends the connections: at once, or when their statements have ended. */
  async leave(how: 'at once' | 'gently'): Promise<void> {
    if (how === 'at once') this.cut()
    if (this.#isLeft) return
    this.#isLeft = true
    const timer = setTimeout(() => this.cut(), graceMs)
    await this.#pool.end().catch(() => {})
    clearTimeout(timer)
  }
}
