import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import {
  type ArchiveEntry,
  type ArchiveHeader,
  chunkBytes,
  chunkHeadBytes,
  magicLine,
  maxBlockBytes,
  maxHeaderBytes,
} from './format.ts'
import { createSeal, newEncryption, type Seal } from './seal.ts'

export interface ArchiveOptions {
  kind: string
  /** Undefined: it is not encrypted. */
  passphrase?: string | undefined
  /** Cost of trying a passphrase, if tests cannot wait for the usual cost. A power of two. */
  cost?: number | undefined
}

/** Text compresses to a fifth at any level; this one is four times as fast as the default. */
const compressionLevel = 2

/**
 * The bytes of an archive with these entries. Entries are consumed one by one, while their bytes are read, so that an
 * archive may be larger than the memory. An error of an entry ends the archive without its last chunk.
 */
export async function* writeArchive(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
  { kind, passphrase, cost }: ArchiveOptions,
): AsyncGenerator<Buffer, void> {
  const header: ArchiveHeader = { kind, ...(passphrase === undefined ? {} : { encryption: newEncryption(cost) }) }
  const headerLine = JSON.stringify(header)
  const seal = await createSeal(header, headerLine, passphrase)
  yield Buffer.from(`${magicLine}\n${headerLine}\n`)
  const gzip = createGzip({ level: compressionLevel, chunkSize: chunkBytes })
  // The iteration below rejects with the error.
  pipeline(Readable.from(framesOf(entries), { objectMode: true, highWaterMark: 4 }), gzip, () => {})
  yield* sealChunks(gzip, seal)
}

async function* framesOf(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
): AsyncGenerator<Buffer | Uint8Array> {
  for await (const { name, fields, content } of entries) {
    const head = Buffer.from(JSON.stringify({ name, fields }))
    if (head.length > maxHeaderBytes) throw new RangeError(`the header of the entry ${name} is too long`)
    yield lengthOf(head)
    yield head
    for await (const piece of content) {
      for (let at = 0; at < piece.length; at += maxBlockBytes) {
        const block = piece.subarray(at, at + maxBlockBytes)
        yield lengthOf(block)
        yield block
      }
    }
    yield endMark
  }
  yield endMark
}

/** A length of zero: no block follows, or no entry. */
const endMark = Buffer.alloc(4)

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}

/** One chunk is held back, because only the end shows which is the last. */
async function* sealChunks(source: AsyncIterable<Buffer>, seal: Seal): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const piece of source) {
    waiting.push(piece)
    size += piece.length
    if (size <= chunkBytes) continue
    const joined = Buffer.concat(waiting)
    let at = 0
    for (; joined.length - at > chunkBytes; at += chunkBytes) {
      yield sealChunk(joined.subarray(at, at + chunkBytes), seal, false)
    }
    waiting = [joined.subarray(at)]
    size = joined.length - at
  }
  yield sealChunk(Buffer.concat(waiting), seal, true)
}

function sealChunk(bytes: Buffer, seal: Seal, isLast: boolean): Buffer {
  const head = Buffer.alloc(chunkHeadBytes)
  head.writeUInt8(isLast ? 1 : 0, 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, seal.close(bytes, isLast)])
}
