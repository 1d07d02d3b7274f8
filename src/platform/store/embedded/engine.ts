import { Duplex } from 'node:stream'
import pg, { type Client } from 'pg'
import type { Engine } from '../engine.ts'
import { type PreparingClient, preparing } from '../prepared.ts'
import { SlowStatements } from '../slow-statements.ts'
import { type EmbeddedStore, openThread, type StorePort } from './thread.js'

/** The embedded store in a folder. */
export async function openEmbedded(dataDir: string): Promise<Engine> {
  return createEngine(await openThread(dataDir))
}

/**
 * PGlite speaks PostgreSQL's wire protocol, so node-postgres drives both engines: the same types, the same errors and
 * the same prepared statements. There is one connection, which is used by one caller at a time.
 */
export async function createEngine(store: EmbeddedStore): Promise<Engine> {
  const client = new pg.Client({
    stream: () => new StoreStream(store.port),
    user: 'postgres',
    database: 'postgres',
    pipeline: true,
  })
  client.on('error', () => {})
  await client.connect()
  const handlers = new Map<string, ((payload: string) => void)[]>()
  client.on('notification', ({ channel, payload }) => {
    for (const handle of handlers.get(channel) ?? []) handle(payload ?? '')
  })
  const queue = createConnectionQueue()
  const slowStatements = new SlowStatements()
  const checkpoints = new Checkpoints(client, () => queue.acquire())
  const connect = async (): Promise<PreparingClient> => {
    checkpoints.noteUse()
    return preparing(client, { release: await queue.acquire(), slowStatements })
  }
  let isOpen = true
  store.onHold(async () => {
    const release = await queue.acquire()
    try {
      // Commits that did not wait for the disk are in memory only.
      await client.query('checkpoint')
      return release
    } catch (error) {
      release()
      throw error
    }
  })
  return {
    engine: 'embedded',
    pool: { connect, end: async () => {} },
    slowStatements,
    async listen(channel, handle) {
      const existing = handlers.get(channel)
      if (existing) {
        existing.push(handle)
        return
      }
      handlers.set(channel, [handle])
      const release = await queue.acquire()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`).finally(release)
    },
    listeningSince: () => (isOpen ? 0 : undefined),
    onReturn() {},
    // They end with the process.
    checksClients: () => true,
    async close() {
      if (!isOpen) return
      isOpen = false
      checkpoints.stop()
      // Waits for the current user of the connection, so that no statement is cut off.
      await queue.acquire()
      await store.close()
    },
  }
}

/** Passes the one connection from caller to caller, in the order of their calls. */
function createConnectionQueue() {
  let last = Promise.resolve()
  return {
    acquire(): Promise<() => void> {
      const before = last
      const { promise, resolve } = withResolvers()
      last = promise
      return before.then(() => resolve)
    },
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** The socket that node-postgres expects, with the store at its other end. */
class StoreStream extends Duplex {
  readonly #port: StorePort

  constructor(port: StorePort) {
    super({ allowHalfOpen: false })
    this.#port = port
    port.on('message', (message: Uint8Array | string) => {
      if (typeof message !== 'string') this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
    })
    port.on('error', (error) => this.destroy(error))
    port.on('exit', () => this.destroy())
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#port.postMessage(Uint8Array.from(chunk))
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#port.postMessage(Uint8Array.from(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    done()
  }

  override _final(done: () => void): void {
    done()
  }
}

/** How often it checks how much was written. */
const checkMs = 10_000
/** At the latest after this time, what was written is in the files of the tables: PostgreSQL's own default. */
const maxAgeMs = 300_000
/** A checkpoint itself writes less than this. */
const idleBytes = 4_096

/**
 * Does the work of PostgreSQL's checkpointer, which the embedded engine does not have: without it the log of changes grows
 * until the disk is full, and a start after a power cut replays all of it (1 GB takes 20 seconds, 256 MB take 3).
 */
class Checkpoints {
  readonly #client: Client
  readonly #acquire: () => Promise<() => void>
  readonly #timer: NodeJS.Timeout
  #isUsed = false
  #lastMs = performance.now()

  /** @param acquire Waits for the one connection, and returns what releases it. */
  constructor(client: Client, acquire: () => Promise<() => void>) {
    this.#client = client
    this.#acquire = acquire
    // If it fails, because the disk is full, the next one may succeed.
    this.#timer = setInterval(() => this.#check().catch(() => {}), checkMs)
    this.#timer.unref()
  }

  /** Somebody uses the connection, and may write. */
  noteUse(): void {
    this.#isUsed = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    if (!this.#isUsed) return
    const release = await this.#acquire()
    try {
      const { rows } = await this.#client.query<{ bytes: number; maxBytes: number }>(logSize)
      const [{ bytes, maxBytes } = { bytes: 0, maxBytes: 0 }] = rows
      const isOld = performance.now() - this.#lastMs > maxAgeMs && bytes > idleBytes
      // The other half is for the next one, while the files of this one are reused.
      if (bytes < maxBytes / 2 && !isOld) return
      this.#isUsed = false
      await this.#client.query('checkpoint')
      this.#lastMs = performance.now()
    } finally {
      release()
    }
  }
}

const logSize = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes,
    pg_size_bytes(current_setting('max_wal_size'))::float8 as "maxBytes"
  from pg_control_checkpoint()`
