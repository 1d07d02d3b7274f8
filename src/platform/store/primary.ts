import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { isStoreUnreachable } from './errors.ts'
import { Server, type ServerAddress } from './server.ts'
import { SessionOptions } from './session-options.ts'

/** How long one host may take to say that it is the primary. */
const probeMs = 2_000
/** The pause between two rounds over all hosts. */
const retryMs = 100
/** How long a caller waits for a search that has failed before: requests must not pile up. */
const patienceMs = 250
/** The pauses between the rounds of a start: a database that starts at the same time, or a packet that was lost. */
const startPausesMs = [200, 800]

/**
 * The server that accepts writes.
 *
 *     found ──it rejects connections or writes, or is silent──► searching ──a host accepts writes──► found
 *
 * Every host is tried at the same time, so that one that does not respond costs nothing. The first callers wait for the
 * first round; after one without success the search goes on, and callers wait a moment only.
 */
export class Primary {
  readonly #addresses: ServerAddress[]
  readonly #poolSize: number
  readonly #onChange: ((server: Server | undefined) => void)[] = []
  #server: Server | undefined
  #round: Promise<Server> | undefined
  #failure: unknown
  #waiting = new Set<(server: Server) => void>()
  #isOpen = true
  /** The newest history that a primary had: a host with an older one is a former primary that came back. */
  #timeline = 0

  constructor({ hosts, target, options }: DatabaseAddress, poolSize: number) {
    this.#addresses = hosts.map(({ connectionString }) => ({
      connectionString,
      needsWrites: target === 'read-write',
      options: new SessionOptions(options),
    }))
    this.#poolSize = poolSize
  }

  /** Searches for the primary, and again if no host can be reached; rejects if there is none. */
  async open(): Promise<void> {
    for (const pauseMs of startPausesMs) {
      try {
        await this.#search()
        return
      } catch (error) {
        if (!isStoreUnreachable(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    await this.#search()
  }

  /** Whether the server ends statements whose client is gone. */
  get checksClients(): boolean {
    return this.#server?.checksClients ?? true
  }

  /** A connection of the pool, and its server. Nothing has been sent if it fails. */
  async connect(): Promise<{ client: pg.PoolClient; server: Server }> {
    return this.#withServer(async (server) => ({ client: await server.connect(), server }))
  }

  /** A connection of its own, and its server. */
  async openClient(applicationName: string): Promise<{ client: pg.Client; server: Server }> {
    return this.#withServer(async (server) => ({ client: await server.open(applicationName), server }))
  }

  /** Calls back when a server was found, and with undefined when it is no longer used. */
  onChange(handle: (server: Server | undefined) => void): void {
    this.#onChange.push(handle)
  }

  /** Stops using the server, and searches for another one. */
  leave(server: Server, how: 'at once' | 'gently'): void {
    void server.leave(how)
    if (this.#server !== server) return
    this.#server = undefined
    for (const handle of this.#onChange) handle(undefined)
    if (this.#isOpen) this.#searchAgain()
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await this.#server?.leave('gently')
  }

  async #withServer<Result>(use: (server: Server) => Promise<Result>): Promise<Result> {
    for (let isFirst = true; ; isFirst = false) {
      const server = this.#server ?? (await this.#found())
      try {
        return await use(server)
      } catch (error) {
        if (!Server.isGone(error)) throw error
        this.leave(server, 'gently')
        // Nothing was sent, so another server may do it.
        if (!isFirst) throw error
      }
    }
  }

  #found(): Promise<Server> {
    if (this.#failure === undefined) return this.#round ?? this.#search()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(found)
        reject(this.#failure)
      }, patienceMs)
      const found = (server: Server) => {
        clearTimeout(timer)
        resolve(server)
      }
      this.#waiting.add(found)
    })
  }

  #searchAgain(): void {
    if (this.#round !== undefined || !this.#isOpen || this.#server !== undefined) return
    this.#search().catch(() => {
      setTimeout(() => this.#searchAgain(), retryMs).unref()
    })
  }

  /** One round over all hosts. */
  #search(): Promise<Server> {
    this.#round = this.#tryAll().finally(() => {
      this.#round = undefined
    })
    return this.#round
  }

  async #tryAll(): Promise<Server> {
    try {
      const address = await firstOf(this.#addresses.map((address) => this.#probe(address)))
      this.#server = new Server(address, this.#poolSize)
      this.#failure = undefined
      for (const resolve of this.#waiting) resolve(this.#server)
      this.#waiting.clear()
      for (const handle of this.#onChange) handle(this.#server)
      return this.#server
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  async #probe(address: ServerAddress): Promise<ServerAddress> {
    const client = await new Server(address, 1).open('doorstep probe', probeMs)
    try {
      if (this.#addresses.length > 1 && address.needsWrites) await this.#checkTimeline(client)
      return address
    } finally {
      // Without a goodbye: its end may be lost like its beginning.
      client.end().catch(() => {})
    }
  }

  /** Each promotion begins a new timeline, with a higher number. */
  async #checkTimeline(client: pg.Client): Promise<void> {
    // Not every service that speaks the protocol has these functions: then every host is trusted.
    const { rows } = await client
      .query(`select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`)
      .catch(() => ({ rows: [] }))
    const timeline = Number(rows[0]?.timeline ?? this.#timeline)
    if (timeline < this.#timeline) {
      throw Object.assign(new Error('the server is a former primary: another one was promoted since'), {
        code: '25006',
      })
    }
    this.#timeline = timeline
  }
}

/** The first that succeeds; if none does, the error of the first, because the others are often standbys. */
async function firstOf<Result>(attempts: Promise<Result>[]): Promise<Result> {
  try {
    return await Promise.any(attempts)
  } catch (error) {
    const [first = error] = (error as AggregateError).errors
    throw first
  }
}
