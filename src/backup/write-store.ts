import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openEngine } from '../database/database.ts'
import { openEmbedded } from '../database/embedded/engine.ts'
import { lockDirectory } from '../database/embedded/lock.js'
import type { Engine } from '../database/engine.ts'
import { countOtherProcesses, hasRows, StoreLoad } from '../database/load-store.ts'
import { migrate } from '../database/migrate.ts'
import { migrationNames, readMigration } from '../database/migrations.ts'
import { makePrivateFolder } from '../database/private-folder.js'
import type { ArchiveEntry } from '../foundation/archive/format.ts'
import { fingerprintOf } from '../foundation/vault.ts'
import { createImageStore } from '../resources/images/image-store.ts'
import { findEncryptionKey, keysOf } from '../setup/encryption-keys.ts'
import { BackupError, entryNames, type Manifest, type Summary } from './contents.ts'
import { hasStore } from './read-store.ts'

export interface WriteOptions {
  /** Whether what the store has may be lost. */
  replace: boolean
}

export interface WrittenStore {
  manifest: Manifest
  summary: Summary
  /** Migrations that this version added to an older store. */
  migrated: string[]
  /** `there`: the key of the settings fits. `written`: to DATA_DIR. `missing`: somebody has to bring it. */
  key: 'there' | 'written' | 'missing'
}

type StoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'encryptionKey'>

/** Fills a store with these entries, or changes nothing. */
export async function writeStore(
  config: StoreConfig,
  entries: AsyncIterable<ArchiveEntry>,
  options: WriteOptions,
): Promise<WrittenStore> {
  const source = entries[Symbol.asyncIterator]()
  try {
    const manifest = await readManifest(source)
    checkMigrations(manifest)
    checkKey(config, manifest)
    const content = { manifest, rest: { [Symbol.asyncIterator]: () => source } }
    return await (config.databaseUrl === undefined ? writeEmbedded : writePostgres)(config, content, options)
  } finally {
    await source.return?.()
  }
}

/** A backup whose first entry was read and checked. */
interface Content {
  manifest: Manifest
  rest: AsyncIterable<ArchiveEntry>
}

async function writePostgres(config: StoreConfig, content: Content, options: WriteOptions): Promise<WrittenStore> {
  const engine = await openEngine({ ...config, databasePool: 1 })
  try {
    await checkTarget(engine, options)
    return await load(config, engine, content, async () => {})
  } finally {
    await engine.close()
  }
}

/** Into a folder of its own, which takes the store's place at the end. */
async function writeEmbedded(config: StoreConfig, content: Content, options: WriteOptions): Promise<WrittenStore> {
  makePrivateFolder(config.dataDir)
  const unlock = await lockDirectory(config.dataDir)
  const folder = await mkdtemp(join(config.dataDir, '.restore-'))
  try {
    const store = join(config.dataDir, 'store')
    if (hasStore(config.dataDir) && !options.replace) throw notEmpty(`the store in ${config.dataDir}`)
    const engine = await openEmbedded(folder)
    return await load(config, engine, content, async () => {
      await engine.close()
      if (existsSync(store)) await rename(store, join(folder, 'replaced'))
      await rename(join(folder, 'store'), store)
    }).finally(() => engine.close())
  } finally {
    await rm(folder, { recursive: true, force: true })
    await unlock()
  }
}

async function checkTarget(engine: Engine, { replace }: WriteOptions): Promise<void> {
  const client = await engine.pool.connect()
  try {
    if ((await countOtherProcesses(client)) > 0) {
      throw new BackupError('A service is connected to the database of DATABASE_URL. Stop it first.')
    }
    if (!replace && (await hasRows(client))) throw notEmpty('the database of DATABASE_URL')
  } finally {
    client.release()
  }
}

function notEmpty(place: string): BackupError {
  return new BackupError(`There is something in ${place}. With --replace, all of it is deleted and replaced.`)
}

async function load(
  config: StoreConfig,
  engine: Engine,
  { manifest, rest }: Content,
  afterCommit: () => Promise<void>,
): Promise<WrittenStore> {
  const client = await engine.pool.connect()
  let isReleased = false
  const release = () => {
    if (!isReleased) client.release()
    isReleased = true
  }
  const storeLoad = new StoreLoad(client)
  const writing = new EntryWriter(config, storeLoad)
  try {
    await writing.begin(manifest)
    for await (const entry of rest) await writing.take(entry)
    const summary = await writing.finish(manifest)
    await storeLoad.commit()
    release()
    const migrated = await migrate(engine.pool)
    await afterCommit()
    return { manifest, summary, migrated, key: writing.keepKey() }
  } catch (error) {
    if (!isReleased) await storeLoad.rollBack().catch(() => {})
    await writing.removeImages()
    throw error
  } finally {
    release()
  }
}

/** Puts one entry after another where it belongs. */
class EntryWriter {
  readonly #config: StoreConfig
  readonly #load: StoreLoad
  readonly #images: ReturnType<typeof createImageStore>
  readonly #newImages: string[] = []
  #summary: Summary | undefined
  #key: string | undefined
  #imageCount = 0

  constructor(config: StoreConfig, load: StoreLoad) {
    this.#config = config
    this.#load = load
    this.#images = createImageStore(config)
  }

  async take({ name, fields, content }: ArchiveEntry): Promise<void> {
    if (name === entryNames.key) this.#key = await textOf(content)
    else if (name === entryNames.summary) this.#summary = JSON.parse(await textOf(content)) as Summary
    else if (name.startsWith(entryNames.table)) {
      const table = name.slice(entryNames.table.length)
      for await (const lines of wholeLines(content)) await this.#load.addRows(table, fields.columns as string[], lines)
    } else if (name.startsWith(entryNames.image)) {
      await this.#putImage(name.slice(entryNames.image.length), String(fields.mediaType), await bytesOf(content))
    }
  }

  /** Makes the tables that the rows came from. */
  async begin({ migrations }: Manifest): Promise<void> {
    const names = new Set(migrations.map(({ name }) => name))
    const known = migrationNames().filter((name) => names.has(name))
    await this.#load.begin(known.map((name) => ({ name, checksum: readMigration(name).checksum })))
  }

  async #putImage(key: string, mediaType: string, bytes: Buffer): Promise<void> {
    if ((await this.#images.get(key)) === undefined) this.#newImages.push(key)
    await this.#images.put(key, bytes, mediaType)
    this.#imageCount += 1
  }

  /** Compares what is there now with what the file says about itself. */
  async finish({ sequences }: Manifest): Promise<Summary> {
    if (this.#summary === undefined) throw new BackupError('The file is no complete backup.')
    await this.#load.finish(sequences)
    for (const [table, count] of await this.#load.countRows()) {
      const expected = this.#summary.rows[table] ?? 0
      if (count !== expected) throw new BackupError(`The table ${table} has ${count} rows instead of ${expected}.`)
    }
    if (this.#imageCount !== this.#summary.images) {
      throw new BackupError(`There are ${this.#imageCount} images instead of ${this.#summary.images}.`)
    }
    return this.#summary
  }

  /** After the rest was committed. A key is never overwritten: that it fits was checked at the beginning. */
  keepKey(): WrittenStore['key'] {
    if (findEncryptionKey(this.#config) !== undefined) return 'there'
    if (this.#key === undefined) return 'missing'
    makePrivateFolder(this.#config.dataDir)
    writeFileSync(join(this.#config.dataDir, 'encryption-key'), `${this.#key}\n`, { mode: 0o600, flag: 'wx' })
    return 'written'
  }

  async removeImages(): Promise<void> {
    for (const key of this.#newImages) await this.#images.delete(key).catch(() => {})
  }
}

async function readManifest(entries: AsyncIterator<ArchiveEntry>): Promise<Manifest> {
  const first = await entries.next()
  if (first.done || first.value.name !== entryNames.manifest) {
    throw new BackupError('The file is no backup: it does not begin with a manifest.')
  }
  return JSON.parse(await textOf(first.value.content))
}

/** Every key that values in the backup are encrypted with has to be among those of the settings. */
function checkKey(config: StoreConfig, { keyFingerprint, keysInUse = keyFingerprint }: Manifest): void {
  const text = findEncryptionKey(config)
  if (text === undefined || keysInUse === undefined) return
  const ours = keysOf(text, keyFingerprint).map(fingerprintOf)
  if (keysInUse.split(',').every((fingerprint) => ours.includes(fingerprint))) return
  throw new BackupError(
    'The encryption key of this installation is not that of the backup, so its secrets could not be read. Set ENCRYPTION_KEY to the one of the backup, or move DATA_DIR/encryption-key away.',
  )
}

function checkMigrations({ migrations }: Manifest): void {
  const ours = new Set(migrationNames())
  const newer = migrations.filter(({ name }) => !ours.has(name))
  if (newer.length > 0) {
    const [first] = newer
    throw new BackupError(
      `The file was written by a newer version of Doorstep: it has the migration ${first?.name}. Install that version.`,
    )
  }
  const other = migrations.find(({ name, checksum }) => readMigration(name).checksum !== checksum)
  if (other) throw new BackupError(`The file was written with another migration ${other.name} than this version has.`)
}

/** Rows are added a part at a time, and a part must end where a line does. */
async function* wholeLines(content: ArchiveEntry['content']): AsyncGenerator<Buffer> {
  let rest: Uint8Array[] = []
  for await (const piece of content) {
    const end = piece.lastIndexOf(0x0a)
    if (end < 0) {
      rest.push(piece)
      continue
    }
    yield Buffer.concat([...rest, piece.subarray(0, end + 1)])
    rest = end + 1 < piece.length ? [piece.subarray(end + 1)] : []
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}

async function bytesOf(content: ArchiveEntry['content']): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of content) parts.push(piece)
  return Buffer.concat(parts)
}

async function textOf(content: ArchiveEntry['content']): Promise<string> {
  return (await bytesOf(content)).toString('utf8')
}
