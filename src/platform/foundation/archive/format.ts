/**
 * An archive is one stream: a line that says what it is, a line of JSON, and chunks. The chunks hold one gzip stream of
 * entries, each with a JSON header and a content of any length. Every chunk is verified before its bytes are used, and the
 * last one is marked, so that a file that was cut off or changed is rejected. docs/decisions/0039 has the layout.
 */
export const magicLine = 'doorstep archive 1'

/** Content of the unencrypted line of JSON. Anybody can read it; the chunks verify it, too. */
export interface ArchiveHeader {
  /** Purpose of the archive, such as `backup`. */
  kind: string
  /** Absent: it is not encrypted. */
  encryption?: { cipher: 'aes-256-gcm'; kdf: 'scrypt'; cost: number; blockSize: number; parallel: number; salt: string }
}

/** An entry to write, or one that was read. Its content can be read once. */
export interface ArchiveEntry {
  name: string
  fields: Readonly<Record<string, unknown>>
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A file is no archive, damaged, incomplete, or encrypted with another passphrase. The message is for people. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArchiveError'
  }
}

export const chunkBytes = 65_536
export const maxHeaderBytes = 65_536
export const maxBlockBytes = 1_048_576
/** A file of 100 MB could hold a thousand million empty ones. */
export const maxEntries = 5_000_000

/** Before each chunk: whether it is the last, and the length of what follows without its tag. */
export const chunkHeadBytes = 5
