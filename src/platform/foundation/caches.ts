import type { Clock } from './clock.ts'
import type { CommitScope } from './transaction.ts'

/**
 * Changes that cached values depend on: each kind, with the fields that name the changed thing. A module declares its
 * own kinds beside its cache, by merging into this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their kinds into it
export interface ChangeKinds {}

export type Change = { [Kind in keyof ChangeKinds]: { kind: Kind } & ChangeKinds[Kind] }[keyof ChangeKinds]

/** Reports changes that were committed on any node. */
export interface ChangeFeed {
  onChange(handle: (change: Change) => void): void
  /** By performance.now(): what was read before this moment may have changed without a report. */
  trustedSince(): number
}

export interface CacheDefinition<Value> {
  /** Unique among all caches. */
  name: string
  /** A full cache drops its oldest entry. */
  maxEntries: number
  /** By the time of the callers; without it, entries stay until they are invalidated. */
  ttlMs?: number
  /** For each kind of change: whether it affects a cached value. Such entries are removed, on every node. */
  invalidatedBy?: { [Kind in keyof ChangeKinds]?: (change: ChangeKinds[Kind], value: Value, key: string) => boolean }
}

/** The caches of one service; each module defines its own. */
export interface Caches {
  /** The service's cache of this definition, the same one at every call. */
  open<Value>(definition: CacheDefinition<Value>): Cache<Value>
}

/** Gives a definition its type where it stands. */
export function defineCache<Value>(definition: CacheDefinition<Value>): CacheDefinition<Value> {
  return definition
}

export function createCaches(clock: Clock, feed: ChangeFeed): Caches {
  const opened = new Map<string, { definition: unknown; cache: unknown }>()
  return {
    open<Value>(definition: CacheDefinition<Value>): Cache<Value> {
      const known = opened.get(definition.name)
      if (known === undefined) {
        const cache = new Cache(definition, clock, feed)
        opened.set(definition.name, { definition, cache })
        return cache
      }
      if (known.definition !== definition) throw new Error(`two caches are called "${definition.name}"`)
      return known.cache as Cache<Value> // made from this very definition
    },
  }
}

interface Entry<Value> {
  value: Value
  /** The time at which its reading began, by performance.now(). */
  readAt: number
  /** The caller's time then, in milliseconds. */
  clockMs: number
}

/** Values by a text key. A hit is synchronous; a value that may be outdated is never returned. */
export class Cache<Value> {
  readonly #definition: CacheDefinition<Value>
  readonly #clock: Clock
  readonly #feed: ChangeFeed | undefined
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #loading = new Map<string, Promise<Value | undefined>>()
  #invalidations = 0

  constructor(definition: CacheDefinition<Value>, clock: Clock, feed: ChangeFeed) {
    this.#definition = definition
    this.#clock = clock
    if (definition.invalidatedBy === undefined) return
    this.#feed = feed
    feed.onChange((change) => this.#invalidate(change))
  }

  /** `now` is the caller's time: that of its context, or of the clock. */
  get(key: string, now?: Date): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#isFresh(entry, now)) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value): void {
    this.#store(key, { value, ...this.#moment() })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /**
   * Reads a value that is not cached. Callers of one key share one query; inside a transaction each makes its own,
   * because the shared one may wait for the connection that the transaction has.
   */
  load<Loaded extends Value | undefined>(
    scope: Pick<CommitScope, 'afterCommit'> & { now?: Date; isFromReplica?: boolean },
    key: string,
    query: () => Promise<Loaded>,
  ): Promise<Loaded> {
    // It may be older than the last change that was reported.
    if (scope.isFromReplica) return query()
    if (scope.afterCommit) return this.loadAlone(key, query, scope.now)
    const running = this.#loading.get(key)
    if (running) return running as Promise<Loaded> // callers of one key load the same
    const loading = this.loadAlone(key, query, scope.now).finally(() => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key)
    })
    this.#loading.set(key, loading)
    return loading
  }

  /** Reads a value and caches it, unless a change was reported meanwhile: then it may be the old one. */
  async loadAlone<Loaded extends Value | undefined>(
    key: string,
    query: () => Promise<Loaded>,
    now?: Date,
  ): Promise<Loaded> {
    const moment = this.#moment(now)
    const invalidations = this.#invalidations
    const value = await query()
    if (value !== undefined && invalidations === this.#invalidations) this.#store(key, { value, ...moment })
    return value
  }

  #isFresh({ readAt, clockMs }: Entry<Value>, now: Date | undefined): boolean {
    const { ttlMs } = this.#definition
    if (this.#feed && readAt < this.#feed.trustedSince()) return false
    // Both ways: an entry must not outlive a clock that was set back.
    return ttlMs === undefined || Math.abs((now ?? this.#clock.now()).getTime() - clockMs) < ttlMs
  }

  #moment(now = this.#clock.now()): Pick<Entry<Value>, 'readAt' | 'clockMs'> {
    return { readAt: performance.now(), clockMs: now.getTime() }
  }

  #store(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#definition.maxEntries) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    this.#entries.set(key, entry)
  }

  #invalidate(change: Change): void {
    const { kind } = change as { kind: keyof ChangeKinds } // a change of any kind, as far as this file knows
    const isAffected = this.#definition.invalidatedBy?.[kind] as
      | ((change: Change, value: Value, key: string) => boolean) // the one for this kind
      | undefined
    if (isAffected === undefined) return
    this.#invalidations += 1
    // A query that began before the change must not be shared with callers that come after it.
    this.#loading.clear()
    for (const [key, entry] of this.#entries) if (isAffected(change, entry.value, key)) this.#entries.delete(key)
  }
}
