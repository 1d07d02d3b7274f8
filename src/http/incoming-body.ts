import type { FastifyReply, FastifyRequest } from 'fastify'
import { secondMs } from '../platform/foundation/clock.ts'
import { ApiError } from '../platform/foundation/errors.ts'

/** At least as many bytes have to arrive in each window, or the body is cut. A window is measured in looks, one per second. */
export const minBytesPerLook = 1_000
export const looksPerWindow = 15

/** How long a body that was fast is not behind after it stops. */
const creditMs = 500

/** How far behind a body can be at most, so that one that goes on catches up. */
const debtMs = 15 * secondMs

/** Reasons to stop receiving a body. */
export type CutReason = 'slow' | 'full'

interface Reader {
  /** A clock that is never set; its starting point does not matter. */
  nowMs(): number
  /** A body that arrives slower than this falls behind. */
  slowBytesPerMs: number
  onBytes(): void
  /** All of it has arrived. */
  onEnd(): void
  /** The response has ended, or the connection. */
  onGone(): void
}

/** How much of one body has arrived, and how fast. */
export class IncomingBody {
  readonly #request: FastifyRequest
  readonly #nowMs: () => number
  /** The time at which a slow body would have sent as much. */
  #paidUntilMs: number
  #windowStartBytes = 0
  #looks = 0
  bytes = 0

  constructor(request: FastifyRequest, reply: FastifyReply, reader: Reader) {
    this.#request = request
    this.#nowMs = reader.nowMs
    this.#paidUntilMs = reader.nowMs()
    const { raw } = request
    const count = (chunk: Buffer): void => {
      this.bytes += chunk.length
      const nowMs = this.#nowMs()
      const paidMs = Math.max(this.#paidUntilMs, nowMs - debtMs) + chunk.length / reader.slowBytesPerMs
      this.#paidUntilMs = Math.min(paidMs, nowMs + creditMs)
      reader.onBytes()
    }
    // Counted as the reader reads it: an earlier listener would take the beginning away from the reader.
    raw.once('resume', () => raw.on('data', count))
    raw.once('end', () => reader.onEnd())
    reply.raw.once('close', () => {
      raw.off('data', count)
      reader.onGone()
    })
  }

  get isArriving(): boolean {
    return !this.#request.raw.complete && !this.#request.raw.destroyed
  }

  /**
   * How far it is behind a body that is only just fast enough; negative if it is faster. One that stops is behind soon,
   * however much arrived before, and a new one is not behind those that wait.
   */
  get behindMs(): number {
    return this.#nowMs() - this.#paidUntilMs
  }

  /** Checks it once, every second. True if less arrived in a whole window than has to. */
  look(): boolean {
    this.#looks += 1
    if (this.#looks < looksPerWindow) return false
    const arrived = this.bytes - this.#windowStartBytes
    this.#looks = 0
    this.#windowStartBytes = this.bytes
    return arrived < looksPerWindow * minBytesPerLook
  }

  /** Its reader gets the error, which becomes the response. */
  reject(error: ApiError): void {
    const { raw } = this.#request
    if (raw.listenerCount('error') > 0) raw.emit('error', error)
    else raw.destroy()
  }
}

export function tooSlow(reason: CutReason): ApiError {
  const why = reason === 'slow' ? 'too slowly' : 'slower than that of others, and there is no room for more'
  return new ApiError('invalid_payload', `The body arrived ${why}. Send it again.`, { status: 408 })
}
