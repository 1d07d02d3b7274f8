import { sql } from 'kysely'
import { type Change, type Context, onceCommitted } from '../foundation/operation.ts'
import type { Database } from './database.ts'

const channel = 'doorstep_changes'

/** Carries "this has changed" to the caches of every node. */
export interface Changes {
  /** Part of the transaction of the change: other nodes hear of it when it is committed, and only then. */
  announce(context: Context, change: Change): Promise<void>
  onChange(handle: (change: Change) => void): void
  /** How long a cache may answer without asking: short while notifications could be missed. */
  trustMs(): number
}

export async function openChanges(database: Database): Promise<Changes> {
  const handlers: ((change: Change) => void)[] = []
  const tell = (change: Change) => {
    for (const handle of handlers) handle(change)
  }
  await database.listen(channel, (payload) => tell(JSON.parse(payload) as Change)) // only announce writes here
  return {
    async announce(context, change) {
      await sql`select pg_notify(${channel}, ${JSON.stringify(change)})`.execute(context.db)
      onceCommitted(context, () => tell(change))
    },
    onChange: (handle) => handlers.push(handle),
    trustMs: () => (database.isListening() ? 30_000 : 500),
  }
}

/**
 * A cache of what the store answered, by a text key. What changes is forgotten by announcement; the trusted age bounds
 * what a lost announcement could do.
 */
export class AnswerCache<Value> {
  readonly #entries = new Map<string, { value: Value; at: number }>()
  readonly #trustMs: () => number
  readonly #maxEntries: number

  constructor(trustMs: () => number, maxEntries = 10_000) {
    this.#trustMs = trustMs
    this.#maxEntries = maxEntries
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (performance.now() - entry.at <= this.#trustMs()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.#maxEntries) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    this.#entries.set(key, { value, at: performance.now() })
  }

  forget(matches: (value: Value) => boolean): void {
    for (const [key, entry] of this.#entries) if (matches(entry.value)) this.#entries.delete(key)
  }
}
