import { createHmac, hash, timingSafeEqual } from 'node:crypto'

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
