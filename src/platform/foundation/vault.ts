import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hmacSha256 } from './crypto.ts'

/** Seals and opens secrets at rest: AES-256-GCM. The first of its keys seals, all of them open. */
export interface Vault {
  seal(text: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
  /** The ids of its keys, the one that seals first. */
  keyIds(): readonly string[]
  /** The first bytes of the values that a key seals; undefined: of the key that seals now. */
  prefixOf(keyId?: string): Buffer
  /** From now on this key seals, and the others only open. */
  sealWith(encryptionKey: string): void
}

/** Something was sealed with a key that we do not have, or was changed. */
export class UnreadableSecret extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnreadableSecret'
  }
}

/** Sealed with the key that the installation was set up with: version, nonce, tag, text. Older versions of the service read it. */
const plainFormat = 1
/** Sealed with a later one: version, id of the key, nonce, tag, text. */
const namedFormat = 2

const [idBytes, nonceBytes, tagBytes] = [4, 12, 16]

interface Key {
  id: string
  bytes: Buffer
}

/** `originalId` is the id of the key that the installation was set up with; default: the first. */
export function createVault(encryptionKeys: readonly string[], originalId?: string): Vault {
  const keys: Key[] = encryptionKeys.map(toKey)
  const original = originalId ?? first(keys).id
  const prefixOf = (id = first(keys).id) =>
    id === original ? Buffer.from([plainFormat]) : Buffer.concat([Buffer.from([namedFormat]), Buffer.from(id, 'hex')])
  return {
    prefixOf,
    keyIds: () => keys.map(({ id }) => id),
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first(keys).bytes, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([prefixOf(), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, purpose) {
      const id = keyIdOf(sealed) ?? original
      const key = keys.find((known) => known.id === id)
      if (key === undefined) {
        throw new UnreadableSecret(`This was encrypted with the key ${id}, which is not in ENCRYPTION_KEY.`)
      }
      return decrypt(key, sealed.subarray(sealed[0] === plainFormat ? 1 : 1 + idBytes), purpose)
    },
    sealWith(encryptionKey) {
      keys.unshift(toKey(encryptionKey))
    },
  }
}

/** Shows nodes that their keys differ, and names the key that sealed a value. It reveals nothing about the key. */
export function fingerprintOf(encryptionKey: string): string {
  return hmacSha256(encryptionKey, 'fingerprint').toString('hex').slice(0, 16)
}

/** The beginning of its fingerprint. */
export function keyIdFor(encryptionKey: string): string {
  return fingerprintOf(encryptionKey).slice(0, 2 * idBytes)
}

/** Undefined: the key that the installation was set up with. */
function keyIdOf(sealed: Buffer): string | undefined {
  if (sealed[0] === plainFormat) return undefined
  if (sealed[0] === namedFormat) return sealed.subarray(1, 1 + idBytes).toString('hex')
  throw new UnreadableSecret(`This was encrypted in an unknown format ${sealed[0]}.`)
}

function decrypt({ id, bytes }: Key, parts: Buffer, purpose: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, parts.subarray(0, nonceBytes))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(parts.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(parts.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw Object.assign(new UnreadableSecret(`This cannot be decrypted with the key ${id}: it was changed.`), { cause })
  }
}

function toKey(encryptionKey: string): Key {
  return { id: keyIdFor(encryptionKey), bytes: hmacSha256(encryptionKey, 'doorstep credentials at rest') }
}

function first(keys: readonly Key[]): Key {
  const [key] = keys
  if (key === undefined) throw new Error('a vault needs a key')
  return key
}
