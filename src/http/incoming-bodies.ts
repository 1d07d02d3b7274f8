import type { Server } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wideNetworkOf } from '../platform/foundation/client-network.ts'
import { secondMs } from '../platform/foundation/clock.ts'
import { type ApiError, rateLimited } from '../platform/foundation/errors.ts'
import type { CounterSpec, Metrics } from '../platform/foundation/metrics.ts'
import { type Full, type ShareLimits, Shares } from '../platform/foundation/shares.ts'
import { type CutReason, IncomingBody, tooSlow } from './incoming-body.ts'
import { announcesLargeBody, smallBodyBytes } from './unread-bodies.ts'

/** Sender of a body, as far as its address and head prove it. */
export interface Sender {
  /**
   * signed: messages for a shop that has a secret to verify them with. links: callers with the link to an order's page.
   */
  pool: 'signed' | 'links' | 'strangers'
  shop?: string
  link?: string
}

type Group = 'network' | 'shop' | 'link'

export interface PoolLimits {
  /** Large bodies that arrive at a time; undefined if none may be large. */
  places?: ShareLimits<Group>
  /** Bytes of all bodies that have arrived, until their responses have ended. Files of forms are on disk. */
  bytes: ShareLimits<Group>
  /** Bodies that arrive slower than this are cut first if there is no capacity. */
  slowBytesPerMs: number
}

const unlimited = Number.POSITIVE_INFINITY

/** A message has up to 10 MB (`BODY_LIMIT`); a form with photos has up to four times 10 MB (`IMAGE_LIMIT`). */
export const bodyLimits: Record<Sender['pool'], PoolLimits> = {
  signed: {
    places: { all: 128, each: { network: 32, shop: 64, link: unlimited } },
    bytes: { all: 128_000_000, each: { network: 64_000_000, shop: 64_000_000, link: unlimited } },
    // Servers send to servers.
    slowBytesPerMs: 256,
  },
  links: {
    places: { all: 64, each: { network: 16, shop: 32, link: 3 } },
    bytes: { all: 640_000_000, each: { network: 160_000_000, shop: 320_000_000, link: 120_000_000 } },
    // Less than a phone sends over 3G.
    slowBytesPerMs: 16,
  },
  strangers: {
    bytes: { all: 32_000_000, each: { network: 8_000_000, shop: unlimited, link: unlimited } },
    slowBytesPerMs: 16,
  },
}

/** Bytes are counted in units of this size: the least that a body costs, because its connection and request take as much. */
const countedBytes = 16_384

const lookEveryMs = secondMs
const retrySeconds = 10

export const bodiesMetric: CounterSpec = {
  name: 'doorstep_http_bodies_cut_total',
  help: 'Bodies of requests that were cut because they arrived too slowly, or slowest when there was no room for others.',
  labels: { reason: ['slow', 'full'] },
}

interface Waiting {
  body: IncomingBody
  subjects: Record<Group, string>
  place: { giveBack: () => void } | undefined
  pieces: { giveBack: () => void }[]
}

export interface BodiesOptions {
  metrics: Metrics
  limits?: Record<Sender['pool'], PoolLimits>
  nowMs?: () => number
}

/**
 * Limits the bodies of callers without a key, so that they can neither fill memory and disk nor shut out others.
 * Senders of signed messages, callers with a link and strangers share no places. Within a pool, places are limited per
 * network, shop and link, and the slowest body is cut first: so slow bodies, however many, do not keep out one that
 * arrives at once.
 */
export class IncomingBodies {
  readonly #pools: Record<Sender['pool'], Pool>

  constructor({ metrics, limits = bodyLimits, nowMs = () => performance.now() }: BodiesOptions) {
    const poolOf = (limits: PoolLimits) => new Pool(limits, metrics, nowMs)
    this.#pools = {
      signed: poolOf(limits.signed),
      links: poolOf(limits.links),
      strangers: poolOf(limits.strangers),
    }
  }

  /** Counts a body until its response has ended; throws if there is no place for it. */
  admit(request: FastifyRequest, reply: FastifyReply, { pool, shop = '', link = '' }: Sender): void {
    // It has arrived with its head.
    if (request.raw.complete) return
    const network = wideNetworkOf(request.ip ?? '')
    this.#pools[pool].admit(request, reply, { network, shop, link })
  }

  countOf(pool: Sender['pool'], group: Group | 'all', subject = ''): { places: number; bytes: number } {
    return this.#pools[pool].countOf(group, subject)
  }

  /** Checks all bodies every second while the server listens. */
  watch(server: Server): void {
    server.once('listening', () => {
      const timer = setInterval(() => this.look(), lookEveryMs).unref()
      server.once('close', () => clearInterval(timer))
    })
  }

  /** Cuts bodies that arrive too slowly. */
  look(): void {
    for (const pool of Object.values(this.#pools)) pool.look()
  }
}

/** The bodies of one kind of sender. */
class Pool {
  readonly #metrics: Metrics
  readonly #nowMs: () => number
  readonly #slowBytesPerMs: number
  readonly #places: Shares<Group> | undefined
  readonly #bytes: Shares<Group>
  readonly #waiting = new Set<Waiting>()

  constructor({ places, bytes, slowBytesPerMs }: PoolLimits, metrics: Metrics, nowMs: () => number) {
    this.#nowMs = nowMs
    this.#metrics = metrics
    this.#slowBytesPerMs = slowBytesPerMs
    this.#places = places && new Shares(places)
    this.#bytes = new Shares(bytes)
  }

  countOf(group: Group | 'all', subject: string): { places: number; bytes: number } {
    const count = (shares: Shares<Group> | undefined) =>
      (group === 'all' ? shares?.count : shares?.countOf(group, subject)) ?? 0
    return { places: count(this.#places), bytes: count(this.#bytes) }
  }

  admit(request: FastifyRequest, reply: FastifyReply, subjects: Record<Group, string>): void {
    const place = announcesLargeBody(request) ? this.#takePlace(subjects) : undefined
    const waiting: Waiting = {
      subjects,
      place,
      pieces: [],
      body: new IncomingBody(request, reply, {
        nowMs: this.#nowMs,
        slowBytesPerMs: this.#slowBytesPerMs,
        onBytes: () => this.#grow(waiting),
        onEnd: () => waiting.place?.giveBack(),
        onGone: () => this.#forget(waiting),
      }),
    }
    this.#waiting.add(waiting)
  }

  look(): void {
    for (const waiting of this.#waiting) {
      if (waiting.body.isArriving && waiting.body.look()) this.#cut(waiting, 'slow')
    }
  }

  /** More of it has arrived. One without a length needs a place only once it is large. */
  #grow(waiting: Waiting): void {
    const { body, subjects, pieces } = waiting
    // The rest of a body that was cut is dropped.
    if (!this.#waiting.has(waiting)) return
    try {
      if (body.bytes > smallBodyBytes) waiting.place ??= this.#takePlace(subjects, waiting)
      while (pieces.length * countedBytes < body.bytes) {
        const isRival = (other: Waiting) => other !== waiting && other.pieces.length > 0
        pieces.push(this.#take(this.#bytes, subjects, countedBytes, isRival))
      }
    } catch (error) {
      this.#forget(waiting)
      body.reject(error as ApiError) // #take throws nothing else
    }
  }

  #takePlace(subjects: Record<Group, string>, own?: Waiting): { giveBack: () => void } | undefined {
    const isRival = (other: Waiting) => other !== own && other.place !== undefined
    return this.#places && this.#take(this.#places, subjects, 1, isRival)
  }

  #take(
    shares: Shares<Group>,
    subjects: Record<Group, string>,
    count: number,
    isRival: (waiting: Waiting) => boolean,
  ): { giveBack: () => void } {
    let taken = shares.take(subjects, count)
    while (typeof taken === 'string') {
      const rivals = this.#rivalsOf(taken, subjects, isRival)
      const first = slowestOf(rivals, 0) ?? slowestOf(ofLargestNetwork(rivals, subjects))
      if (first === undefined) throw tooMuch()
      this.#cut(first, 'full')
      taken = shares.take(subjects, count)
    }
    return taken
  }

  /** The arriving bodies that use a part of the exhausted limit. */
  #rivalsOf(full: Full<Group>, subjects: Record<Group, string>, isRival: (waiting: Waiting) => boolean): Waiting[] {
    return [...this.#waiting].filter(
      (waiting) =>
        waiting.body.isArriving && isRival(waiting) && (full === 'all' || waiting.subjects[full] === subjects[full]),
    )
  }

  #cut(waiting: Waiting, reason: CutReason): void {
    this.#metrics.count(bodiesMetric, { reason })
    this.#forget(waiting)
    waiting.body.reject(tooSlow(reason))
  }

  #forget(waiting: Waiting): void {
    this.#waiting.delete(waiting)
    waiting.place?.giveBack()
    for (const piece of waiting.pieces.splice(0)) piece.giveBack()
  }
}

/** The one that is furthest behind, by more than the given time. */
function slowestOf(waiting: readonly Waiting[], moreThanMs = Number.NEGATIVE_INFINITY): Waiting | undefined {
  let slowest: Waiting | undefined
  let slowestMs = moreThanMs
  for (const one of waiting) {
    const { behindMs } = one.body
    if (behindMs > slowestMs) [slowest, slowestMs] = [one, behindMs]
  }
  return slowest
}

/** The bodies of the network that has most, if that is more than the caller's own would have. */
function ofLargestNetwork(waiting: readonly Waiting[], own: Record<Group, string>): readonly Waiting[] {
  const byNetwork = new Map<string, Waiting[]>()
  for (const one of waiting) {
    const { network } = one.subjects
    byNetwork.set(network, [...(byNetwork.get(network) ?? []), one])
  }
  const ownCount = (byNetwork.get(own.network)?.length ?? 0) + 1
  let largest: readonly Waiting[] = []
  for (const group of byNetwork.values()) if (group.length > Math.max(largest.length, ownCount)) largest = group
  return largest
}

function tooMuch(): ApiError {
  return rateLimited('Too much is being sent at once.', retrySeconds)
}
