import type { FastifyReply } from 'fastify'
import { ApiError } from '../foundation/errors.ts'

const retrySeconds = 2

/** Limits the requests that are handled at the same time: of all callers, and of each. */
export class RequestsInFlight {
  readonly #limits: { inAll: number; perKey: number }
  readonly #perKey = new Map<string, number>()
  #count = 0

  constructor(limits: { inAll: number; perKey: number }) {
    this.#limits = limits
  }

  /** Counts a request until its response ends; rejects it if there are too many. */
  admit(reply: FastifyReply, keyId: string): void {
    const own = this.#perKey.get(keyId) ?? 0
    if (own >= this.#limits.perKey || this.#count >= this.#limits.inAll) {
      throw new ApiError('rate_limited', `Too many requests at once. Try again in ${retrySeconds} s.`, {
        headers: { 'retry-after': String(retrySeconds) },
      })
    }
    this.#count += 1
    this.#perKey.set(keyId, own + 1)
    reply.raw.once('close', () => this.#release(keyId))
  }

  #release(keyId: string): void {
    this.#count -= 1
    const left = (this.#perKey.get(keyId) ?? 1) - 1
    if (left === 0) this.#perKey.delete(keyId)
    else this.#perKey.set(keyId, left)
  }
}
