import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export function sha256(text: string | Uint8Array): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The same as hexadecimal text. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Of the texts, as if they were one. */
export function hmacSha256(key: string | Uint8Array, ...texts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const text of texts) hmac.update(text)
  return hmac.digest()
}

/** Compares in constant time, also for different lengths. */
export function isSame(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

/** Seals and opens what is secret at rest: AES-256-GCM under one key. */
export interface Vault {
  seal(text: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
  /** A key for another use (signing image addresses, say), bound to its purpose, which is a word of the code. */
  derive(purpose: string): Buffer
}

const formatVersion = 1

export function createVault(encryptionKey: string): Vault {
  const key = hmacSha256(encryptionKey, 'doorstep credentials at rest')
  const derived = new Map<string, Buffer>()
  return {
    seal(text, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([formatVersion]), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, purpose) {
      if (sealed[0] !== formatVersion) throw new Error(`sealed with an unknown format ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(13, 29))
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
    },
    derive(purpose) {
      const known = derived.get(purpose) ?? hmacSha256(encryptionKey, purpose)
      derived.set(purpose, known)
      return known
    },
  }
}
