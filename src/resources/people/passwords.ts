import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../../foundation/crypto.ts'
import { ApiError } from '../../foundation/errors.ts'
import type { SigningKeys } from '../../foundation/signing-keys.ts'

declare module '../../foundation/services.ts' {
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

/** What OWASP recommends for 32 MiB: 560 ms of a busy core, see docs/decisions/0026. Every guess at a stolen hash costs as much. */
export const usualCost: HashCost = { logN: 15, r: 8, p: 3 }

const [saltBytes, hashBytes] = [16, 32]

/** Hashes run in the thread pool, which has four threads and other work, such as looking up hosts. */
const maxAtOnce = 2
/** Those that wait behind them; more are rejected. */
const maxWaiting = 50
const retrySeconds = 5

/**
 * Hashes and verifies passwords. They are mixed with a key that is not in the store: a copy of the store alone cannot be
 * used to guess them.
 */
export class PasswordHasher {
  readonly #pepper: Buffer
  readonly #cost: HashCost
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(signing: SigningKeys, cost = usualCost) {
    this.#pepper = signing.fixed('passwords')
    this.#cost = cost
  }

  /** Text that contains everything `verify` needs, except the key: `scrypt:15:8:3:salt:hash`. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes)
    const hash = await this.#derive(password, salt, this.#cost)
    const { logN, r, p } = this.#cost
    return ['scrypt', logN, r, p, salt.toString('base64'), hash.toString('base64')].join(':')
  }

  /** Null is never right, and takes as long as a hash: nobody learns which accounts exist. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const known = stored === null ? undefined : read(stored)
    const { salt, hash, ...cost } = known ?? { ...this.#cost, salt: randomBytes(saltBytes), hash: undefined }
    const derived = await this.#derive(password, salt, cost)
    return hash !== undefined && timingSafeEqual(derived, hash)
  }

  /** Whether a hash was made at another cost than new ones. */
  isOutdated(stored: string): boolean {
    const { logN, r, p } = read(stored)
    return logN !== this.#cost.logN || r !== this.#cost.r || p !== this.#cost.p
  }

  async #derive(password: string, salt: Buffer, { logN, r, p }: HashCost): Promise<Buffer> {
    await this.#admit()
    try {
      // Text that looks the same is the same, however it was typed.
      const secret = hmacSha256(this.#pepper, password.normalize('NFKC'))
      return await runScrypt(secret, salt, { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r })
    } finally {
      this.#release()
    }
  }

  /** Waits until fewer run; rejects if too many wait. */
  async #admit(): Promise<void> {
    if (this.#running < maxAtOnce) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= maxWaiting) {
      throw new ApiError('rate_limited', `Too many people sign in at once. Try again in ${retrySeconds} s.`, {
        headers: { 'retry-after': String(retrySeconds) },
      })
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** The next one takes this one's place, so that no third gets in between. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}

function runScrypt(secret: Buffer, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
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
