import { randomBytes, timingSafeEqual } from 'node:crypto'
import { wideNetworkOf } from '../../platform/foundation/client-network.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { hmacSha256 } from '../../platform/foundation/crypto.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { FairQueue, NotRun, type QueuedCaller } from '../../platform/foundation/fair-queue.ts'
import { ScryptThreads } from '../../platform/foundation/scrypt-threads.ts'
import type { SigningKeys } from '../../platform/foundation/signing-keys.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    readonly passwords: PasswordHasher
  }
}

export interface HashCost {
  /** The base-2 logarithm of scrypt's N. */
  logN: number
  r: number
  p: number
}

/**
 * OWASP's recommendation for 32 MiB: 560 ms of a busy core, see docs/decisions/0026. Every guess at a stolen hash costs
 * as much.
 */
const usualCost: HashCost = { logN: 15, r: 8, p: 3 }

const [saltBytes, hashBytes] = [16, 32]

/** How many are hashed at once, each in a thread of its own, and how many wait behind them; more are rejected. */
const limits = { atOnce: 2, waiting: { known: 50, others: 50 } }
const retrySeconds = 5

/**
 * Hashes and verifies passwords. They are mixed with a key that is not in the store: a copy of the store alone cannot be
 * used to guess them.
 */
export class PasswordHasher {
  readonly #pepper: Buffer
  readonly #cost: HashCost
  readonly #queue = new FairQueue(limits)
  readonly #threads = new ScryptThreads()

  constructor(signing: SigningKeys, cost = usualCost) {
    this.#pepper = signing.fixed('passwords')
    this.#cost = cost
  }

  /** How many calls wait in the queue. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /** Text that contains everything `verify` needs, except the key: `scrypt:15:8:3:salt:hash`. */
  async hash(password: string, caller: QueuedCaller): Promise<string> {
    const salt = randomBytes(saltBytes)
    const hash = await this.#derive(password, salt, this.#cost, caller)
    const { logN, r, p } = this.#cost
    return ['scrypt', logN, r, p, salt.toString('base64'), hash.toString('base64')].join(':')
  }

  /** Null is never right, and takes as long as a hash: nobody learns which accounts exist. */
  async verify(password: string, stored: string | null, caller: QueuedCaller): Promise<boolean> {
    const known = stored === null ? undefined : read(stored)
    const { salt, hash, ...cost } = known ?? { ...this.#cost, salt: randomBytes(saltBytes), hash: undefined }
    const derived = await this.#derive(password, salt, cost, caller)
    return hash !== undefined && timingSafeEqual(derived, hash)
  }

  /** Whether a hash was made at another cost than new ones. */
  isOutdated(stored: string): boolean {
    const { logN, r, p } = read(stored)
    return logN !== this.#cost.logN || r !== this.#cost.r || p !== this.#cost.p
  }

  close(): Promise<void> {
    return this.#threads.close()
  }

  async #derive(password: string, salt: Buffer, { logN, r, p }: HashCost, caller: QueuedCaller): Promise<Buffer> {
    // Text that looks the same is the same, however it was typed.
    const secret = hmacSha256(this.#pepper, password.normalize('NFKC'))
    const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    try {
      return await this.#queue.run(caller, () => this.#threads.derive({ secret, salt, bytes: hashBytes, options }))
    } catch (error) {
      throw error instanceof NotRun ? new NotHashed() : error
    }
  }
}

/** The password was not hashed, so nothing was learnt about it. */
export class NotHashed extends ApiError {
  constructor() {
    super('rate_limited', `Too many people sign in at once. Try again in ${retrySeconds} s.`, {
      headers: { 'retry-after': String(retrySeconds) },
    })
  }
}

/**
 * Somebody who tries the password of an account. The queue alternates between networks, and between the accounts of
 * each: one network cannot delay another by more than one hash.
 */
export function strangerTo(email: string, { client }: Context): QueuedCaller {
  return { group: [wideNetworkOf(client?.address ?? ''), email], whenGone: whenGone(client) }
}

/**
 * Somebody who has a session or a link of the account, or is where its owner has signed in. They have places of their
 * own. The queue alternates between accounts: an account cannot delay others, from however many networks it signs in.
 */
export function ownerOf(email: string, { client }: Context): QueuedCaller {
  return { group: [email, wideNetworkOf(client?.address ?? '')], isKnown: true, whenGone: whenGone(client) }
}

function whenGone(client: Context['client']): QueuedCaller['whenGone'] {
  return client && ((act) => client.whenGone(act))
}

function read(stored: string): HashCost & { salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt = '', hash = ''] = stored.split(':')
  return {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
