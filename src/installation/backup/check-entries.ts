import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import { readContent, shown } from '../../platform/foundation/archive/read.ts'
import { findJsonExcess } from '../../platform/foundation/count-json.ts'
import { jsonLimits } from '../../platform/foundation/json-limits.ts'
import { isRecord } from '../../platform/foundation/read-json.ts'
import { isImageKey } from '../../shops/images/schema.ts'
import { BackupError, entryNames, type Manifest, type Summary } from './contents.ts'

/** A part of a backup, checked. */
export type BackupPart =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'key'; key: string }
  /** Rows as COPY's text, whole lines at a time. */
  | { kind: 'table'; table: string; columns: string[]; lines: AsyncIterable<Buffer> }
  | { kind: 'image'; key: string; mediaType: string; bytes: Buffer }
  | { kind: 'summary'; summary: Summary }

/** Limits of a backup. A row has a few kilobytes; no version has stored one, or an image, of more than 20 MB. */
export const backupLimits = {
  /** Of the manifest and the summary: a few kilobytes. */
  textBytes: 1_048_576,
  keyBytes: 65_536,
  rowBytes: 67_108_864,
  imageBytes: 67_108_864,
} as const

const order = ['manifest', 'key', 'table', 'image', 'summary'] as const
type Kind = (typeof order)[number]

/**
 * The parts of a backup, in the order in which one is written: a manifest, the key that it announces, each table once,
 * each image once, and a summary that matches them. Anything else is rejected, and so is a part that exceeds its limit.
 */
export async function* checkEntries(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<BackupPart, void, undefined> {
  const checks = new BackupChecks()
  for await (const entry of entries) yield* checks.take(entry)
  checks.finish()
}

class BackupChecks {
  #step = -1
  #manifest: Manifest | undefined
  readonly #rows = new Map<string, number>()
  readonly #images = new Set<string>()

  async *take(entry: ArchiveEntry): AsyncGenerator<BackupPart, void, undefined> {
    const kind = this.#kindOf(entry.name)
    if (kind === 'manifest') {
      this.#manifest = readManifest(await readText(entry, backupLimits.textBytes))
      yield { kind, manifest: this.#manifest }
    } else if (kind === 'key') {
      if (this.#manifest?.hasKey !== true) throw new BackupError('The file has a key that it does not announce.')
      yield { kind, key: await readText(entry, backupLimits.keyBytes) }
    } else if (kind === 'table') yield* this.#takeTable(entry)
    else if (kind === 'image') yield await this.#takeImage(entry)
    else {
      const summary = readSummary(await readText(entry, backupLimits.textBytes))
      this.#compare(summary)
      yield { kind, summary }
    }
  }

  finish(): void {
    if (order[this.#step] !== 'summary') throw new BackupError('The file is no complete backup.')
  }

  #kindOf(name: string): Kind {
    const kind = kindOf(name)
    if (kind === undefined) throw new BackupError(`The file has an entry "${shown(name)}", which no backup has.`)
    const step = order.indexOf(kind)
    if (this.#step < 0 && kind !== 'manifest') {
      throw new BackupError('The file is no backup: it does not begin with a manifest.')
    }
    const mayRepeat = kind === 'table' || kind === 'image'
    if (step < this.#step || (step === this.#step && !mayRepeat)) {
      throw new BackupError(`The entry "${shown(name)}" of the file is not where a backup has it.`)
    }
    this.#step = step
    return kind
  }

  async *#takeTable({ name, fields, content }: ArchiveEntry): AsyncGenerator<BackupPart, void, undefined> {
    const table = name.slice(entryNames.table.length)
    if (this.#rows.has(table)) throw new BackupError(`The file has the table ${shown(table)} twice.`)
    const { columns } = fields
    if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string')) {
      throw new BackupError(`The file does not say which columns the table ${shown(table)} has.`)
    }
    let count = 0
    const lines = (async function* () {
      for await (const part of wholeLines(table, content)) {
        count += countLines(part)
        yield part
      }
    })()
    yield { kind: 'table', table, columns, lines }
    for await (const _rest of lines);
    this.#rows.set(table, count)
  }

  async #takeImage(entry: ArchiveEntry): Promise<BackupPart> {
    const key = entry.name.slice(entryNames.image.length)
    const { mediaType } = entry.fields
    if (!isImageKey(key) || typeof mediaType !== 'string' || !mediaType.startsWith('image/')) {
      throw new BackupError(`The file has an image "${shown(key)}", which no backup has.`)
    }
    if (this.#images.has(key)) throw new BackupError(`The file has the image ${key} twice.`)
    this.#images.add(key)
    return { kind: 'image', key, mediaType, bytes: await readContent(entry, backupLimits.imageBytes) }
  }

  #compare({ rows, images }: Summary): void {
    const tables = new Set([...this.#rows.keys(), ...Object.keys(rows)])
    for (const table of tables) {
      const [found, expected] = [this.#rows.get(table) ?? 0, rows[table] ?? 0]
      if (found !== expected) {
        throw new BackupError(`The table ${shown(table)} has ${found} rows instead of ${expected}.`)
      }
    }
    if (images !== this.#images.size) {
      throw new BackupError(`There are ${this.#images.size} images instead of ${images}.`)
    }
  }
}

function kindOf(name: string): Kind | undefined {
  if (name === entryNames.manifest) return 'manifest'
  if (name === entryNames.key) return 'key'
  if (name === entryNames.summary) return 'summary'
  if (name.startsWith(entryNames.table)) return 'table'
  return name.startsWith(entryNames.image) ? 'image' : undefined
}

async function readText(entry: ArchiveEntry, maxBytes: number): Promise<string> {
  return (await readContent(entry, maxBytes)).toString('utf8')
}

type Json = Readonly<Record<string, unknown>>

function readManifest(text: string): Manifest {
  const found = parse(text)
  const { createdAt, engine, migrations, sequences, hasImages, hasKey, keyFingerprint, keysInUse } = found
  const isManifest =
    typeof createdAt === 'string' &&
    /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(createdAt) &&
    (engine === 'embedded' || engine === 'postgres') &&
    isListOf(migrations, ({ name, checksum }) => typeof name === 'string' && typeof checksum === 'string') &&
    isListOf(sequences, ({ name, value }) => typeof name === 'string' && Number.isSafeInteger(Number(value))) &&
    typeof hasImages === 'boolean' &&
    typeof hasKey === 'boolean' &&
    [keyFingerprint, keysInUse].every((each) => each === undefined || typeof each === 'string')
  if (!isManifest) throw new BackupError('The manifest of the file is damaged.')
  return found as unknown as Manifest // checked above
}

function readSummary(text: string): Summary {
  const found = parse(text)
  const { rows, images, missingImages } = found
  const counts = isRecord(rows) ? Object.values(rows) : [undefined]
  if (![...counts, images, missingImages].every((count) => Number.isSafeInteger(count) && Number(count) >= 0)) {
    throw new BackupError('The summary of the file is damaged.')
  }
  return found as unknown as Summary // checked above
}

function parse(text: string): Json {
  const bytes = Buffer.from(text)
  if (findJsonExcess(bytes, jsonLimits(bytes.length)) === undefined) {
    try {
      const found: unknown = JSON.parse(text)
      if (isRecord(found)) return found
    } catch {
      // Rejected below.
    }
  }
  throw new BackupError('The file is no backup: what it says about itself is damaged.')
}

function isListOf(value: unknown, is: (item: Json) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && is(item))
}

/** Rows are added a part at a time, and a part must end where a line does. */
async function* wholeLines(table: string, content: ArchiveEntry['content']): AsyncGenerator<Buffer> {
  let rest: Uint8Array[] = []
  let restBytes = 0
  for await (const piece of content) {
    const end = piece.lastIndexOf(0x0a)
    if (end < 0) {
      rest.push(piece)
      restBytes += piece.length
      if (restBytes > backupLimits.rowBytes) {
        throw new BackupError(
          `The file has a row of the table ${shown(table)} that is larger than ${backupLimits.rowBytes} bytes.`,
        )
      }
      continue
    }
    yield Buffer.concat([...rest, piece.subarray(0, end + 1)])
    rest = end + 1 < piece.length ? [piece.subarray(end + 1)] : []
    restBytes = rest[0]?.length ?? 0
  }
  if (restBytes > 0) yield Buffer.concat(rest)
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count += 1
  return bytes.at(-1) === 0x0a ? count : count + 1
}
