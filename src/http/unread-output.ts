import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wideNetworkOf } from '../platform/foundation/client-network.ts'
import { type ApiError, rateLimited } from '../platform/foundation/errors.ts'
import type { Metrics } from '../platform/foundation/metrics.ts'
import { type ShareLimits, Shares } from '../platform/foundation/shares.ts'
import { pieceBytes } from './send-document.ts'
import { type StalledOutput, unreadMetric } from './stalled-output.ts'

/** Bytes of responses that are not read yet: of one network, and of all. */
const unreadLimits: ShareLimits<'network'> = { all: 256_000_000, each: { network: 64_000_000 } }

/** The system accepts as much at once, so it does not wait here. */
const smallBytes = 16_384

const retrySeconds = 10

interface Unread {
  network: string
  request: FastifyRequest
  giveBack: () => void
}

interface UnreadOptions {
  stalled: StalledOutput
  metrics: Metrics
  limits?: ShareLimits<'network'>
}

/**
 * Limits how much output waits to be read. Responses are rarely unread for longer than milliseconds, unless their
 * clients do not want to read: then those of the same network that read nothing are cut, longest first. If all networks
 * together are at the limit, the one with most loses its longest.
 */
export class UnreadOutput {
  readonly #stalled: StalledOutput
  readonly #metrics: Metrics
  readonly #limits: ShareLimits<'network'>
  readonly #shares: Shares<'network'>
  /** In the order in which they were sent. */
  readonly #responses = new Set<Unread>()

  constructor({ stalled, metrics, limits = unreadLimits }: UnreadOptions) {
    this.#stalled = stalled
    this.#metrics = metrics
    this.#limits = limits
    this.#shares = new Shares(limits)
  }

  get bytes(): number {
    return this.#shares.count
  }

  /** Counts a response until it has been read, or its connection is closed; throws if there is no place for it. */
  admit(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const network = wideNetworkOf(request.ip ?? '')
    // One response alone is never too large.
    const counted = Math.min(bytes, this.#limits.each.network)
    let place = this.#shares.take({ network }, counted)
    while (typeof place === 'string') {
      const longest = place === 'all' ? this.#longestOfLargest(network, counted) : this.#longestStalled(network)
      if (longest === undefined) throw tooMuch()
      this.#cut(longest)
      place = this.#shares.take({ network }, counted)
    }
    const { giveBack } = place
    const unread: Unread = { network, request, giveBack }
    this.#responses.add(unread)
    reply.raw.once('close', () => {
      this.#responses.delete(unread)
      giveBack()
    })
  }

  #cut(unread: Unread): void {
    this.#metrics.count(unreadMetric, { reason: 'full' })
    this.#responses.delete(unread)
    unread.giveBack()
    unread.request.raw.socket.destroy()
  }

  #longestStalled(network: string): Unread | undefined {
    const longest = this.#longestOf(network)
    return longest && this.#looks(longest) > 0 ? longest : undefined
  }

  #longestOfLargest(network: string, bytes: number): Unread | undefined {
    let largest = { network, bytes: this.#bytesOf(network) + bytes }
    for (const unread of this.#responses) {
      const own = this.#bytesOf(unread.network)
      if (own > largest.bytes) largest = { network: unread.network, bytes: own }
    }
    return largest.network === network ? this.#longestStalled(network) : this.#longestOf(largest.network)
  }

  #longestOf(network: string): Unread | undefined {
    let longest: Unread | undefined
    for (const unread of this.#responses) {
      if (unread.network !== network) continue
      if (longest === undefined || this.#looks(unread) > this.#looks(longest)) longest = unread
    }
    return longest
  }

  #bytesOf(network: string): number {
    return this.#shares.countOf('network', network)
  }

  #looks({ request }: Unread): number {
    return this.#stalled.looksWithoutProgress(request.raw.socket)
  }
}

/** Counts every response of more than a few bytes. */
export function boundUnread(app: FastifyInstance, unread: UnreadOutput): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = unreadBytesOf(payload, reply)
    if (bytes <= smallBytes) return done()
    try {
      unread.admit(request, reply, bytes)
      done()
    } catch (error) {
      if (payload instanceof Readable) payload.destroy()
      for (const name of ['content-length', 'content-encoding', 'etag', 'content-disposition']) reply.removeHeader(name)
      reply.header('cache-control', 'no-store')
      done(error as Error) // admit throws nothing else
    }
  })
}

/** The bytes of a response that are in memory while it waits. Streams of events have limits of their own, and are mostly empty. */
function unreadBytesOf(payload: unknown, reply: FastifyReply): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length
  if (!(payload instanceof Readable)) return 0
  return String(reply.getHeader('content-type')).startsWith('text/event-stream') ? 0 : pieceBytes
}

function tooMuch(): ApiError {
  return rateLimited('Your network does not read what it requests.', retrySeconds)
}
