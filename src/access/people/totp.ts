import { createHmac, randomBytes } from 'node:crypto'
import { renderSVG } from 'uqr'
import { secondMs } from '../../platform/foundation/clock.ts'
import { isSame } from '../../platform/foundation/crypto.ts'

/** As every authenticator app expects it: SHA-1, six digits, 30 seconds (RFC 6238). */
const stepMs = 30 * secondMs
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret, in base 32. */
export function newTotpSecret(): string {
  // A byte has eight times as many values as the alphabet has letters, so each is equally likely.
  return [...randomBytes(32)].map((byte) => alphabet[byte % 32]).join('')
}

/** The time step whose code this is, one step early or late included; undefined if it is wrong. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / stepMs)
  // All three are compared, so that the time it takes says nothing.
  const matching = [current, current - 1, current + 1].filter((step) => isSame(codeAt(secret, step), code))
  return matching[0]
}

/** The code of a time step (RFC 4226). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export interface TotpSetup {
  secret: string
  uri: string
  /** A QR code of the address, as SVG. */
  qrCode: string
}

/** The setup of an authenticator app: the secret, its address and a QR code of it. */
export function setUpTotp(secret: string, email: string, issuer: string): TotpSetup {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  return { secret, uri, qrCode: renderSVG(uri, { ecc: 'M', border: 2, pixelSize: 4 }) }
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/[01]{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
