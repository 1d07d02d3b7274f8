import type { Client } from 'pg'

/** How often it looks how much was written. */
const checkMs = 10_000
/** At the latest after this time, what was written is in the files of the tables: PostgreSQL's own default. */
const maxAgeMs = 300_000
/** A checkpoint itself writes less than this. */
const idleBytes = 4_096

/**
 * Does the work of PostgreSQL's checkpointer, which the embedded engine does not have: without it the log of changes grows
 * until the disk is full, and a start after a power cut replays all of it (1 GB takes 20 seconds, 256 MB take 3).
 */
export class Checkpoints {
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
