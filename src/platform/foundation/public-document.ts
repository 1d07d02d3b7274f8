import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from './crypto.ts'
import { runInSlices, type Steps } from './steps.ts'

export type Encoding = 'br' | 'gzip'

/** Something that is the same for all who read it: bytes in memory once, which all responses share. */
export interface PublicDocument {
  mediaType: string
  etag: string
  plain: Buffer
  /** Undefined if that does not make it smaller. */
  encoded(encoding: Encoding): Buffer | undefined | Promise<Buffer | undefined>
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Nearly as small as the best, in a tenth of the time. */
const brotliQuality = 6

/** A document of a text. It is compressed once, by the first request that accepts it, in another thread. */
export function publicDocument(mediaType: string, text: string): PublicDocument {
  const plain = Buffer.from(text)
  const made = new Map<Encoding, Promise<Buffer | undefined>>()
  return {
    mediaType,
    etag: `"${sha256(plain).toString('base64url').slice(0, 22)}"`,
    plain,
    encoded(encoding) {
      const encoded = made.get(encoding) ?? compress(plain, encoding)
      made.set(encoding, encoded)
      return encoded
    },
  }
}

/** Documents that are made at their first request. One that could not be made is tried again at the next. */
export class MadeDocuments<Key> {
  readonly #made = new Map<Key, Promise<PublicDocument>>()

  get(key: Key, mediaType: string, make: () => Steps<string>): Promise<PublicDocument> {
    const known = this.#made.get(key)
    if (known) return known
    const made = runInSlices(make()).then((text) => publicDocument(mediaType, text))
    this.#made.set(key, made)
    made.catch(() => {
      if (this.#made.get(key) === made) this.#made.delete(key)
    })
    return made
  }

  clear(): void {
    this.#made.clear()
  }
}

async function compress(plain: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  const encoded =
    encoding === 'br'
      ? await compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : await compressGzip(plain)
  return encoded.length < plain.length ? encoded : undefined
}
