import type { FeedListeners } from '../../deliveries/feed.ts'
import type { ChangeFeed } from '../../foundation/caches.ts'
import { secondMs } from '../../foundation/clock.ts'
import type { Context, ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { findProgress } from './store.ts'

declare module '../../foundation/services.ts' {
  interface Services {
    /** The reads of this process that wait for events. */
    readonly feedReaders: FeedReaders
  }
}

declare module '../../foundation/caches.ts' {
  interface ChangeKinds {
    feed: { shopIds: string[] }
  }
}

/** Reads that wait, per key and per process. Each has an open connection. */
const maxWaitingOfKey = 20
const maxWaiting = 1_000
const retrySeconds = 5

/** Finds what was not announced, because a node stopped too early or a connection was down. */
const pollMs = secondMs
/** Other nodes are notified once for all events of this time, and outside the transactions of the events. */
const gatherMs = 50
/** The limit of a NOTIFY payload is 8,000 bytes. */
const shopsPerAnnouncement = 150

/** A read that waits for events of a shop. */
export interface Waiter {
  /** The service stops, or the client is gone. */
  readonly isOver: boolean
  /** Resolves when there may be events after this position, and when the time is over. */
  wait(position: number, ms: number): Promise<void>
  end(): void
}

interface WaitingRead {
  shopId: string
  position: number
  isWoken: boolean
  resume: () => void
}

/**
 * The reads of this process that wait for events. Events that this process commits wake them at once; other nodes announce
 * theirs, and a query every second finds the rest. While nobody waits, nothing is queried.
 */
export class FeedReaders implements FeedListeners {
  readonly #context: () => Context
  readonly #reads = new Set<WaitingRead>()
  readonly #readsOfKey = new Map<string, number>()
  readonly #unannounced = new Set<string>()
  #isStopping = false
  #poll: NodeJS.Timeout | undefined
  #announcing: NodeJS.Timeout | undefined

  constructor(context: () => Context, changes: ChangeFeed) {
    this.#context = context
    changes.onChange((change) => {
      if (change.kind === 'feed') this.#wakeShops(new Set(change.shopIds))
    })
  }

  published(shopIds: Iterable<string>): void {
    const published = new Set(shopIds)
    this.#wakeShops(published)
    for (const shopId of published) this.#unannounced.add(shopId)
    if (this.#isStopping) return
    this.#announcing ??= setTimeout(() => void this.#announce(), gatherMs).unref()
  }

  get waiting(): number {
    return this.#reads.size
  }

  /** Counts the caller's read as waiting until it ends. */
  begin({ shop, principal: { keyId }, client }: ShopContext): Waiter {
    const ofKey = this.#readsOfKey.get(keyId) ?? 0
    if (ofKey >= maxWaitingOfKey) throw tooMany(`This key has ${maxWaitingOfKey} readings waiting already.`)
    if (this.#reads.size >= maxWaiting) throw tooMany('Too many readings are waiting.')
    this.#readsOfKey.set(keyId, ofKey + 1)
    const read: WaitingRead = { shopId: shop.id, position: 0, isWoken: false, resume: nothing }
    this.#reads.add(read)
    this.#poll ??= setInterval(() => void this.#findMissed(), pollMs).unref()
    let isGone = false
    const ignoreClient = client?.whenGone(() => {
      isGone = true
      wake(read)
    })
    const isOver = () => isGone || this.#isStopping
    return {
      get isOver() {
        return isOver()
      },
      wait: (position, ms) => pause(read, position, ms),
      end: () => {
        ignoreClient?.()
        if (this.#reads.delete(read)) this.#forget(keyId)
      },
    }
  }

  /** Ends every wait, so that requests in flight do not delay a stop. */
  stop(): void {
    this.#isStopping = true
    clearInterval(this.#poll)
    clearTimeout(this.#announcing)
    for (const read of this.#reads) wake(read)
  }

  #forget(keyId: string): void {
    const left = (this.#readsOfKey.get(keyId) ?? 1) - 1
    if (left > 0) this.#readsOfKey.set(keyId, left)
    else this.#readsOfKey.delete(keyId)
    if (this.#reads.size > 0) return
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  #wakeShops(shopIds: ReadonlySet<string>): void {
    for (const read of this.#reads) if (shopIds.has(read.shopId)) wake(read)
  }

  async #announce(): Promise<void> {
    this.#announcing = undefined
    const shopIds = [...this.#unannounced]
    this.#unannounced.clear()
    const { db, services, log } = this.#context()
    try {
      for (let start = 0; start < shopIds.length; start += shopsPerAnnouncement) {
        await services.announce({ db }, { kind: 'feed', shopIds: shopIds.slice(start, start + shopsPerAnnouncement) })
      }
    } catch (err) {
      log.warn({ err }, 'events of a feed could not be announced; readers on other nodes find them within a second')
    }
  }

  async #findMissed(): Promise<void> {
    const context = this.#context()
    try {
      const progress = await findProgress(context, [...new Set([...this.#reads].map(({ shopId }) => shopId))])
      const byShop = new Map(progress.map((feed) => [feed.shopId, feed]))
      for (const read of this.#reads) {
        const feed = byShop.get(read.shopId)
        if (feed && (feed.hasArrivals || feed.lastPosition > read.position)) wake(read)
      }
    } catch (err) {
      context.log.warn({ err }, 'new events of feeds could not be queried; it is tried again')
    }
  }
}

function wake(read: WaitingRead): void {
  read.isWoken = true
  read.resume()
}

/** Returns at once if the read was woken since it last waited. */
async function pause(read: WaitingRead, position: number, ms: number): Promise<void> {
  read.position = position
  if (!read.isWoken) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      read.resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    read.resume = nothing
  }
  read.isWoken = false
}

function nothing(): void {}

function tooMany(message: string): ApiError {
  return new ApiError('rate_limited', `${message} Try again in ${retrySeconds} s, or without wait.`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
}
