import type { FastifyRequest } from 'fastify'
import { cachedEmbedding } from '../customer-page/embedding/cache.ts'
import { isPublicKey } from '../customer-page/embedding/rules.ts'
import { networkOf } from '../platform/foundation/client-network.ts'
import { minuteMs } from '../platform/foundation/clock.ts'
import type { Context, ShopRecord } from '../platform/foundation/context.ts'
import { ApiError, rateLimited } from '../platform/foundation/errors.ts'
import type { Operation } from '../platform/foundation/operation.ts'

/**
 * Requests per minute per shop and network, which may be a company or a whole mobile carrier. Counted in each process:
 * a shared count would be a write for each promise (decision 0051).
 */
export const publicKeyLimit = 300
const maxCounted = 100_000

/** Of the address. */
export const publicKeyParameter = 'key'

/** The public key of a request, if the operation accepts one. Credentials come first. */
export function readPublicKey(operation: Operation, request: FastifyRequest): string | undefined {
  if (!operation.takesPublicKey || request.headers.authorization !== undefined) return undefined
  const key = ((request.query ?? {}) as Record<string, string | string[] | undefined>)[publicKeyParameter]
  return Array.isArray(key) ? key.at(-1) : key
}

/** Checks callers by the public key of a shop, and limits them: anyone can read it in the page's source. */
export class PublicKeyCheck {
  readonly #base: Pick<Context, 'db' | 'services'>
  #endsAt = 0
  #counts = new Map<string, number>()

  constructor(base: Pick<Context, 'db' | 'services'>) {
    this.#base = base
  }

  /** Counted before it is checked. */
  async admit(shop: ShopRecord, key: string, address: string, now: Date): Promise<void> {
    this.#count(`${shop.id} ${networkOf(address)}`, now.getTime())
    const { public_key: known } = await cachedEmbedding(this.#base, shop.id)
    if (isPublicKey(known, key)) return
    throw new ApiError('invalid_merchant_or_key', `This is not the public key of the shop "${shop.slug}".`)
  }

  /** All counts end at the same moment, so that forgetting them costs nothing, however many there are. */
  #count(caller: string, nowMs: number): void {
    const isOver = nowMs >= this.#endsAt || nowMs < this.#endsAt - minuteMs
    if (isOver) this.#endsAt = nowMs + minuteMs
    if (isOver || this.#counts.size >= maxCounted) this.#counts = new Map()
    const count = (this.#counts.get(caller) ?? 0) + 1
    if (count > publicKeyLimit) {
      const waitSeconds = Math.max(1, Math.ceil((this.#endsAt - nowMs) / 1_000))
      throw rateLimited('Too many requests from this address.', waitSeconds)
    }
    this.#counts.set(caller, count)
  }
}
