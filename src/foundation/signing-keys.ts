import type { Clock } from './clock.ts'
import { hmacSha256 } from './crypto.ts'
import { createVault, UnreadableSecret, type Vault } from './vault.ts'

/** What others are derived from. */
export interface SigningKey {
  id: string
  secret: string
  signsFrom: Date
  /** Null: until it is replaced. */
  validUntil: Date | null
}

/**
 * Keys for everything that is signed or hashed and not encrypted: addresses in customers' mail, forms, digests. They are not those that
 * encrypt, so that changing these breaks no address.
 */
export class SigningKeys {
  readonly #clock: Clock
  /** Newest first. */
  #keys: readonly SigningKey[] = []
  readonly #derived = new Map<string, Buffer>()
  readonly #vaults = new Map<string, Vault>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Newest first; the last one is the first that the installation had. */
  use(keys: readonly SigningKey[]): void {
    this.#keys = keys
  }

  /** For digests, which cannot be made again: it never changes. The purpose is a word of the code. */
  fixed(purpose: string): Buffer {
    const oldest = this.#keys.at(-1)
    if (oldest === undefined) throw new Error('there is no signing key')
    return this.#derive(oldest, purpose)
  }

  /** What signs now. */
  current(purpose: string): Buffer {
    return this.#derive(this.#signing(), purpose)
  }

  /** Whatever was signed with one of these is genuine. */
  accepted(purpose: string): Buffer[] {
    return this.#valid().map((key) => this.#derive(key, purpose))
  }

  /** For what is not stored, but sent out: such as an address that contains an e-mail address. */
  seal(text: string, purpose: string): Buffer {
    return this.#vaultOf(this.#signing()).seal(text, purpose)
  }

  open(sealed: Buffer, purpose: string): string {
    for (const key of this.#valid()) {
      try {
        return this.#vaultOf(key).open(sealed, purpose)
      } catch (error) {
        if (!(error instanceof UnreadableSecret)) throw error
      }
    }
    throw new UnreadableSecret('This was sealed with none of the signing keys.')
  }

  #signing(): SigningKey {
    const now = this.#clock.now()
    const key = this.#keys.find(({ signsFrom }) => signsFrom <= now) ?? this.#keys.at(-1)
    if (key === undefined) throw new Error('there is no signing key')
    return key
  }

  #valid(): SigningKey[] {
    const now = this.#clock.now()
    return this.#keys.filter(({ validUntil }) => validUntil === null || validUntil > now)
  }

  #derive({ id, secret }: SigningKey, purpose: string): Buffer {
    const name = `${id} ${purpose}`
    const known = this.#derived.get(name) ?? hmacSha256(secret, purpose)
    this.#derived.set(name, known)
    return known
  }

  #vaultOf({ id, secret }: SigningKey): Vault {
    const known = this.#vaults.get(id) ?? createVault([secret])
    this.#vaults.set(id, known)
    return known
  }
}
