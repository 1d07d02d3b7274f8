import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ArchiveError, type ArchiveHeader } from './format.ts'

/** Protects the chunks of one archive, in their order. */
export interface Seal {
  tagBytes: number
  /** The bytes as they are written, with their tag behind them. */
  close(bytes: Uint8Array, isLast: boolean): Buffer
  open(bytes: Buffer, tag: Buffer, isLast: boolean): Buffer
}

const saltBytes = 32
const usualCost = 2 ** 16
const blockSize = 8
const maxMemoryBytes = 512 * 1_048_576

/** A new salt, and so a new key, for every archive: the chunks may count their nonces. */
export function newEncryption(cost = usualCost): NonNullable<ArchiveHeader['encryption']> {
  const salt = randomBytes(saltBytes).toString('base64')
  return { cipher: 'aes-256-gcm', kdf: 'scrypt', cost, blockSize, parallel: 1, salt }
}

/** @param headerLine The header as it is in the file: a changed header fits no chunk. */
export async function createSeal(
  { encryption }: ArchiveHeader,
  headerLine: string,
  passphrase: string | undefined,
): Promise<Seal> {
  const aad = Buffer.from(headerLine)
  if (encryption === undefined) return createPlainSeal(aad)
  if (passphrase === undefined) throw new ArchiveError('The file is encrypted: its passphrase is needed.')
  return createEncryptedSeal(await deriveKey(passphrase, encryption), aad)
}

/** Without encryption, a digest finds what a disk or a network has damaged. It cannot find what somebody has forged. */
function createPlainSeal(aad: Buffer): Seal {
  let index = 0
  const digestOf = (bytes: Uint8Array, isLast: boolean) => {
    const digest = createHash('sha256').update(nonceOf(index, isLast)).update(aad).update(bytes).digest()
    index += 1
    return digest
  }
  return {
    tagBytes: 32,
    close: (bytes, isLast) => Buffer.concat([bytes, digestOf(bytes, isLast)]),
    open(bytes, tag, isLast) {
      if (timingSafeEqual(digestOf(bytes, isLast), tag)) return bytes
      throw new ArchiveError('The file is damaged.')
    },
  }
}

/** Each chunk is bound to its place and to whether it is the last, so that none can be moved, dropped or repeated. */
function createEncryptedSeal(key: Buffer, aad: Buffer): Seal {
  let index = 0
  const nextNonce = (isLast: boolean) => {
    const nonce = nonceOf(index, isLast)
    index += 1
    return nonce
  }
  return {
    tagBytes: 16,
    close(bytes, isLast) {
      const cipher = createCipheriv('aes-256-gcm', key, nextNonce(isLast)).setAAD(aad)
      return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
    open(bytes, tag, isLast) {
      const isFirst = index === 0
      const decipher = createDecipheriv('aes-256-gcm', key, nextNonce(isLast)).setAAD(aad).setAuthTag(tag)
      const opened = decipher.update(bytes)
      try {
        decipher.final()
      } catch {
        throw new ArchiveError(isFirst ? 'The passphrase is wrong, or the file is damaged.' : 'The file is damaged.')
      }
      return opened
    },
  }
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(isLast ? 1 : 0, 0)
  nonce.writeBigUInt64BE(BigInt(index), 4)
  return nonce
}

function deriveKey(
  passphrase: string,
  { salt, cost, blockSize, parallel }: NonNullable<ArchiveHeader['encryption']>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: blockSize, p: parallel, maxmem: maxMemoryBytes }
    try {
      scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, options, (error, key) =>
        error ? reject(notReadable()) : resolve(key),
      )
    } catch {
      // Node throws at once if the numbers of the header are not possible.
      reject(notReadable())
    }
  })
}

function notReadable(): ArchiveError {
  return new ArchiveError('The header of the file is damaged.')
}
