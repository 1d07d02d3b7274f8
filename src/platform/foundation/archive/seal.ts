import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ScryptThreads } from '../scrypt-threads.ts'
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
/** Twice what the usual cost takes. */
const maxMemoryBytes = 2 * 128 * usualCost * blockSize

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
  checkEncryption(encryption)
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

/**
 * The header is read before anything of the file is verified, so a forged one must not cost more than one of ours. No
 * version has written more than the usual cost; tests write less.
 */
function checkEncryption(given: unknown): void {
  const { cipher, kdf, cost, parallel, salt, ...others } = (given ?? {}) as Partial<
    NonNullable<ArchiveHeader['encryption']>
  >
  const isOurs =
    cipher === 'aes-256-gcm' &&
    kdf === 'scrypt' &&
    typeof cost === 'number' &&
    costs.has(cost) &&
    others.blockSize === blockSize &&
    parallel === 1 &&
    typeof salt === 'string' &&
    Buffer.from(salt, 'base64').length === saltBytes
  if (!isOurs) throw notReadable()
}

/** Powers of two. */
const costs: ReadonlySet<number> = new Set(Array.from({ length: Math.log2(usualCost) }, (_, index) => 2 ** (index + 1)))

async function deriveKey(
  passphrase: string,
  { salt, cost, blockSize, parallel }: NonNullable<ArchiveHeader['encryption']>,
): Promise<Buffer> {
  const threads = new ScryptThreads()
  try {
    return await threads.derive({
      secret: Buffer.from(passphrase.normalize('NFC')),
      salt: Buffer.from(salt, 'base64'),
      bytes: 32,
      options: { N: cost, r: blockSize, p: parallel, maxmem: maxMemoryBytes },
    })
  } finally {
    await threads.close()
  }
}

function notReadable(): ArchiveError {
  return new ArchiveError('The header of the file is damaged.')
}
