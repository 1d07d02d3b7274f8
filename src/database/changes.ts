import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import type { Change } from '../foundation/services.ts'
import { onceCommitted } from '../foundation/transaction.ts'
import type { Database } from './database.ts'

const channel = 'doorstep_changes'

/** Carries "this has changed" to the caches of every node. */
export interface Changes {
  /** Part of the transaction of the change: other nodes hear of it when it is committed, and only then. */
  announce(context: Context, change: Change): Promise<void>
  onChange(handle: (change: Change) => void): void
  /** What was asked of the store before this moment may have changed unheard. */
  trustedSince(): number
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
    trustedSince() {
      const now = performance.now()
      const since = database.listeningSince()
      return since === undefined ? now - 500 : Math.max(since, now - 30_000)
    },
  }
}

/**
 * A cache of what the store answered, by a text key. What changes is forgotten by announcement; nothing is trusted that
 * was asked while announcements could be lost.
 */
export class AnswerCache<Value> {
  readonly #entries = new Map<string, { value: Value; at: number }>()
  readonly #trustedSince: () => number
  readonly #maxEntries: number
  #forgotten = 0

  constructor(trustedSince: () => number, maxEntries = 10_000) {
    this.#trustedSince = trustedSince
    this.#maxEntries = maxEntries
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.at >= this.#trustedSince()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  /** Asks the store. An answer that an announcement overtook on its way may be the old one, and is not kept. */
  async ask<Asked extends Value | undefined>(key: string, query: () => Promise<Asked>): Promise<Asked> {
    const at = performance.now()
    const forgotten = this.#forgotten
    const value = await query()
    if (value !== undefined && forgotten === this.#forgotten) this.#keep(key, { value, at })
    return value
  }

  forget(matches: (value: Value) => boolean): void {
    this.#forgotten += 1
    for (const [key, entry] of this.#entries) if (matches(entry.value)) this.#entries.delete(key)
  }

  #keep(key: string, entry: { value: Value; at: number }): void {
    if (this.#entries.size >= this.#maxEntries) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    this.#entries.set(key, entry)
  }
}
