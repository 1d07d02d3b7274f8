import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ByteReader } from './byte-reader.ts'
import {
  type ArchiveEntry,
  ArchiveError,
  type ArchiveHeader,
  chunkBytes,
  chunkHeadBytes,
  magicLine,
  maxBlockBytes,
  maxEntries,
  maxHeaderBytes,
} from './format.ts'
import { createSeal, type Seal } from './seal.ts'

export interface OpenArchive {
  header: ArchiveHeader
  /**
   * The entries in order, to be read once. The unread rest of a content is skipped with the next entry. Each byte was
   * verified before it is here, but only the end of the iteration shows that the archive is complete.
   */
  entries: AsyncIterable<ReadEntry>
}

export interface ReadEntry extends ArchiveEntry {
  content: AsyncIterable<Buffer>
}

/** A whole content, up to a limit: a few bytes of a file can expand to a gigabyte. */
export async function readContent(
  { name, content }: Pick<ArchiveEntry, 'name' | 'content'>,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > maxBytes) {
      throw new ArchiveError(`An entry "${shown(name)}" of the file is larger than ${maxBytes} bytes.`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** A name from a file, cut to a length that fits into a message. */
export function shown(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}

/** Opens an archive. A passphrase is needed if it is encrypted, and not used otherwise. */
export async function openArchive(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<OpenArchive> {
  const reader = new ByteReader(source)
  try {
    const { header, line } = await readHeader(reader)
    const seal = await createSeal(header, line, passphrase)
    return { header, entries: readEntries(reader, seal) }
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function readHeader(reader: ByteReader): Promise<{ header: ArchiveHeader; line: string }> {
  const magic = await reader.readLine(magicLine.length)
  if (magic !== magicLine) {
    const isNewer = magic.startsWith(magicLine.slice(0, -1))
    throw new ArchiveError(
      isNewer ? 'The file was written by a newer version of Doorstep.' : 'The file is not an archive of Doorstep.',
    )
  }
  const line = await reader.readLine(maxHeaderBytes)
  const header = readJson(line) as Partial<ArchiveHeader> | null
  if (typeof header?.kind !== 'string') throw damaged()
  return { header: header as ArchiveHeader, line } // `createSeal` checks the rest of it
}

async function* readEntries(reader: ByteReader, seal: Seal): AsyncGenerator<ReadEntry, void> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  // Reading from it rejects with the error.
  pipeline(Readable.from(openChunks(reader, seal), { objectMode: true, highWaterMark: 4 }), gunzip, () => {})
  const plain = new ByteReader(gunzip)
  try {
    for (let count = 0; ; count += 1) {
      const length = (await plain.read(4)).readUInt32BE()
      if (length === 0) break
      if (length > maxHeaderBytes) throw damaged()
      if (count === maxEntries) throw new ArchiveError(`The file has more than ${maxEntries} entries.`)
      const { name, fields } = readEntryHead((await plain.read(length)).toString('utf8'))
      const content = contentOf(plain)
      yield { name, fields, content }
      for await (const _rest of content);
    }
    if (!(await plain.isAtEnd())) throw damaged()
  } finally {
    gunzip.destroy()
    await reader.close()
  }
}

/** Not a generator: ending the iteration early must not end the rest of the entry, which is to be skipped. */
function contentOf(plain: ByteReader): AsyncIterable<Buffer> {
  let isDone = false
  const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
    if (isDone) return { done: true, value: undefined }
    const length = (await plain.read(4)).readUInt32BE()
    if (length > maxBlockBytes) throw damaged()
    if (length > 0) return { done: false, value: await plain.read(length) }
    isDone = true
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

async function* openChunks(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer> {
  for (;;) {
    const head = await reader.read(chunkHeadBytes)
    const isLast = head.readUInt8(0) === 1
    const length = head.readUInt32BE(1)
    if (length > chunkBytes) throw damaged()
    const bytes = await reader.read(length)
    yield seal.open(bytes, await reader.read(seal.tagBytes), isLast)
    if (!isLast) continue
    if (await reader.isAtEnd()) return
    throw damaged()
  }
}

function readEntryHead(text: string): Pick<ArchiveEntry, 'name' | 'fields'> {
  const head = readJson(text) as Partial<ArchiveEntry> | null
  const { name, fields } = head ?? {}
  if (typeof name !== 'string' || typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw damaged()
  }
  return { name, fields }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged()
  }
}

function damaged(): ArchiveError {
  return new ArchiveError('The file is damaged.')
}
