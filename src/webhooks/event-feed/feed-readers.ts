import type { FeedListeners } from '../../delivery/queue/feed.ts'
import type { ChangeFeed } from '../../platform/foundation/caches.ts'
import { wideNetworkOf } from '../../platform/foundation/client-network.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { type Full, type ShareLimits, Shares } from '../../platform/foundation/shares.ts'
import { findProgress } from './store.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The reads of this process that wait for events. */
    readonly feedReaders: FeedReaders
  }
}

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    feed: { shopIds: string[] }
  }
}

/** Reads of a process that wait. Each has an open connection. */
export const waitingLimits: ShareLimits<'key' | 'shop' | 'network'> = {
  all: 1_000,
  each: { key: 20, shop: 100, network: 300 },
}
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
  readonly #places = new Shares(waitingLimits)
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
    // A read by the service itself has no network.
    const network = client ? wideNetworkOf(client.address) : `of ${keyId}`
    const place = this.#places.take({ key: keyId, shop: shop.id, network })
    if (typeof place === 'string') throw tooMany(place)
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
        place.giveBack()
        if (this.#reads.delete(read) && this.#reads.size === 0) this.#stopPolling()
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

  #stopPolling(): void {
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

const readersOf = {
  key: 'This key has',
  shop: 'This shop has',
  network: 'Your network has',
  all: 'All shops together have',
}

function tooMany(full: Full<'key' | 'shop' | 'network'>): ApiError {
  const { all, each } = waitingLimits
  const message = `${readersOf[full]} ${full === 'all' ? all : each[full]} readings waiting already.`
  return new ApiError('rate_limited', `${message} Try again in ${retrySeconds} s, or without wait.`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
}
