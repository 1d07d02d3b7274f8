import type { Clock } from './clock.ts'
import { hmacSha256 } from './crypto.ts'
import { createVault, fingerprintOf, UnreadableSecret } from './vault.ts'

/** Of a shop that came from another installation: accepted, but it signs nothing here. */
export interface MovedKey {
  id: string
  secret: string
  /** Null: until it is replaced. */
  validUntil: Date | null
}

/** A key that others are derived from. */
export interface SigningKey extends MovedKey {
  signsFrom: Date
}

/** Signs, seals and recognises. Purposes are words of the code. */
export interface Signer {
  /** The key that signs now. */
  current(purpose: string): Buffer
  /** The keys whose signatures are accepted as genuine. */
  accepted(purpose: string): Buffer[]
  /** For values that are sent out, not stored, such as an address that contains an e-mail address. */
  seal(text: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
}

/**
 * Keys for everything that is signed or hashed, not encrypted: addresses in customers' mail, forms, digests. They
 * differ from the encryption keys, so that changing those breaks no address.
 */
export class SigningKeys {
  readonly #clock: Clock
  /** Newest first. */
  #keys: readonly SigningKey[] = []
  /** By shop: the keys it had where it came from. */
  #moved: ReadonlyMap<string, readonly MovedKey[]> = new Map()
  readonly #derived = new Map<string, Buffer>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Newest first; the last one is the first that the installation had. */
  use(keys: readonly SigningKey[], moved: ReadonlyMap<string, readonly MovedKey[]> = new Map()): void {
    this.#keys = keys
    this.#moved = moved
  }

  /** For digests, which cannot be made again: it never changes. The purpose is a word of the code. */
  fixed(purpose: string): Buffer {
    const oldest = this.#keys.at(-1)
    if (oldest === undefined) throw new Error('there is no signing key')
    return this.#derive(oldest, purpose)
  }

  /** The key that signs now. */
  current(purpose: string): Buffer {
    return this.#derive(this.#signing(), purpose)
  }

  /** The keys whose signatures are accepted as genuine. */
  accepted(purpose: string): Buffer[] {
    return this.#valid().map((key) => this.#derive(key, purpose))
  }

  /** The keys of one shop. They open nothing of another, so that they can move along with it. */
  ofShop(shopId: string): Signer {
    const accepted = () => [...this.#valid().map((key) => this.#secretOf(key, shopId)), ...this.#movedSecrets(shopId)]
    return {
      current: (purpose) => hmacSha256(this.#secretOf(this.#signing(), shopId), purpose),
      accepted: (purpose) => accepted().map((secret) => hmacSha256(secret, purpose)),
      seal: (text, purpose) => createVault([this.#secretOf(this.#signing(), shopId)]).seal(text, purpose),
      open: (sealed, purpose) => openWithOneOf(accepted(), sealed, purpose),
    }
  }

  /** Keys that another installation needs in order to accept signatures made here for this shop. */
  keysToMove(shopId: string): MovedKey[] {
    return this.#valid().map((key) => {
      const secret = this.#secretOf(key, shopId)
      return { id: fingerprintOf(secret), secret, validUntil: key.validUntil }
    })
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

  #secretOf(key: SigningKey, shopId: string): string {
    return hmacSha256(this.#derive(key, 'keys of shops'), shopId).toString('base64url')
  }

  #movedSecrets(shopId: string): string[] {
    const now = this.#clock.now()
    const moved = this.#moved.get(shopId) ?? []
    return moved.filter(({ validUntil }) => validUntil === null || validUntil > now).map(({ secret }) => secret)
  }
}

function openWithOneOf(secrets: readonly string[], sealed: Buffer, purpose: string): string {
  for (const secret of secrets) {
    try {
      return createVault([secret]).open(sealed, purpose)
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
    }
  }
  throw new UnreadableSecret('This was sealed with none of the signing keys.')
}
