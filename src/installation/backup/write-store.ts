import { existsSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import { fingerprintOf } from '../../platform/foundation/vault.ts'
import { openEngine } from '../../platform/store/database.ts'
import { openEmbedded } from '../../platform/store/embedded/engine.ts'
import { lockDirectory } from '../../platform/store/embedded/lock.js'
import { finishRestores, hasStore, replacedStore } from '../../platform/store/embedded/unfinished-restores.js'
import { hasRows, StoreLoad } from '../../platform/store/load-store.ts'
import { migrationNames, readMigration } from '../../platform/store/migrations.ts'
import type { PreparingClient } from '../../platform/store/prepared.ts'
import { makePrivateFolder } from '../../platform/store/private-folder.js'
import { hasOtherProcesses, lockForReplacement, unlockAfterReplacement } from '../../platform/store/store-locks.ts'
import { createImageStore } from '../../shops/images/image-store.ts'
import { shopIdIn } from '../../shops/images/rules.ts'
import { findEncryptionKey, keysOf } from '../setup/encryption-keys.ts'
import { type BackupPart, checkEntries } from './check-entries.ts'
import { BackupError, type Manifest, type Summary } from './contents.ts'
import { RestoreFolder } from './restore-journal.ts'

export interface WriteOptions {
  /** Whether what the store has may be lost. */
  replace: boolean
  /** With the migrations that the rows get; default: those of this version. */
  migrations?: URL
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
  const rest = checkEntries(entries)
  const folder = new RestoreFolder(config)
  try {
    const first = await rest.next()
    if (first.done || first.value.kind !== 'manifest') throw new BackupError('The file is no complete backup.')
    const { manifest } = first.value
    checkMigrations(manifest)
    checkKey(config, manifest)
    const write = config.databaseUrl === undefined ? writeEmbedded : writePostgres
    return await write(config, { manifest, rest, folder }, options)
  } finally {
    await rest.return()
    folder.remove()
  }
}

/** A backup whose first entry was read and checked, and where the restore works. */
interface Content {
  manifest: Manifest
  rest: AsyncIterable<BackupPart>
  folder: RestoreFolder
}

/** No service starts while this writes: each would have to acquire the same lock first, and is rejected. */
async function writePostgres(config: StoreConfig, content: Content, options: WriteOptions): Promise<WrittenStore> {
  const engine = await openEngine({ ...config, databasePool: 1 })
  try {
    const client = await engine.pool.connect()
    try {
      await lockForReplacement(client)
      await checkNobodyUses(client)
      if (!options.replace && (await hasRows(client))) throw notEmpty('the database of DATABASE_URL')
      const isAlone = () => checkNobodyUses(client)
      const written = await load(config, client, content, { ...options, isAlone })
      await unlockAfterReplacement(client)
      return written
    } finally {
      client.release()
    }
  } finally {
    // With the connection, its locks end.
    await engine.close()
  }
}

/** Into a folder of its own, which takes the store's place at the end. */
async function writeEmbedded(config: StoreConfig, content: Content, options: WriteOptions): Promise<WrittenStore> {
  makePrivateFolder(config.dataDir)
  const unlock = await lockDirectory(config.dataDir)
  try {
    // One that was killed may have left a store on its way.
    finishRestores(config.dataDir)
    const folder = content.folder.path
    if (hasStore(config.dataDir) && !options.replace) throw notEmpty(`the store in ${config.dataDir}`)
    const engine = await openEmbedded(folder)
    const client = await engine.pool.connect()
    const close = () => {
      client.release()
      return engine.close()
    }
    const takePlace = async () => {
      await close()
      await replaceStore(join(config.dataDir, 'store'), folder)
    }
    try {
      return await load(config, client, content, { ...options, takePlace })
    } finally {
      await close()
    }
  } finally {
    content.folder.remove()
    await unlock()
  }
}

/** The store in `folder` takes the place of the one that is there, or that one stays. A kill in between: `finishRestores`. */
async function replaceStore(store: string, folder: string): Promise<void> {
  const replaced = join(folder, replacedStore)
  const hasOlder = existsSync(store)
  if (hasOlder) await rename(store, replaced)
  try {
    await rename(join(folder, 'store'), store)
  } catch (error) {
    if (hasOlder) await rename(replaced, store)
    throw error
  }
}

export async function checkNobodyUses(client: PreparingClient): Promise<void> {
  if (await hasOtherProcesses(client)) {
    throw new BackupError('A service is connected to the database of DATABASE_URL. Stop it first.')
  }
}

function notEmpty(place: string): BackupError {
  return new BackupError(`There is something in ${place}. With --replace, all of it is deleted and replaced.`)
}

interface Steps extends Pick<WriteOptions, 'migrations'> {
  /** Throws if somebody uses the store, immediately before it is replaced. */
  isAlone?(): Promise<void>
  /** The steps after the commit that make this store the current one. */
  takePlace?(): Promise<void>
}

/** Everything that can fail happens before the commit: then images and key are removed again, and the store is as it was. */
async function load(
  config: StoreConfig,
  client: PreparingClient,
  { manifest, rest, folder }: Content,
  { migrations, isAlone, takePlace }: Steps,
): Promise<WrittenStore> {
  const storeLoad = new StoreLoad(client)
  const writing = new EntryWriter(config, storeLoad, folder)
  let state: 'writing' | 'committing' | 'committed' = 'writing'
  try {
    await writing.begin(manifest)
    for await (const part of rest) await writing.take(part)
    const summary = await writing.finish(manifest)
    const migrated = missingIn(manifest, migrations)
    await storeLoad.migrate(migrated, migrations)
    const key = writing.keepKey()
    await isAlone?.()
    state = 'committing'
    await storeLoad.commit()
    state = 'committed'
    // Without it, the server's own analysis follows later.
    await storeLoad.analyze().catch(() => {})
    await takePlace?.()
    return { manifest, summary, migrated, key }
  } catch (error) {
    // In a folder of its own, the store counts only when that has taken its place: it never does then.
    if (state === 'committing' && takePlace === undefined) throw notSure(error)
    if (state === 'writing') await storeLoad.rollBack().catch(() => {})
    await writing.removeFiles()
    throw error
  }
}

/** The migrations of this version that the rows were written without. */
function missingIn({ migrations }: Manifest, folder: URL | undefined): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return migrationNames(folder).filter((name) => !known.has(name))
}

function notSure(cause: unknown): BackupError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const error = new BackupError(
    `The connection failed while the rows were committed (${reason}). They may be there or not, and the images are. Run the same command again with --replace.`,
  )
  return Object.assign(error, { cause })
}

/** Puts one entry after another where it belongs. */
class EntryWriter {
  readonly #config: StoreConfig
  readonly #load: StoreLoad
  readonly #images: ReturnType<typeof createImageStore>
  readonly #folder: RestoreFolder
  readonly #writtenImages: { key: string; mediaType: string; before: string | undefined }[] = []
  #summary: Summary | undefined
  #key: string | undefined
  #keyFile: string | undefined
  #imageCount = 0

  constructor(config: StoreConfig, load: StoreLoad, folder: RestoreFolder) {
    this.#config = config
    this.#folder = folder
    this.#load = load
    this.#images = createImageStore(config)
  }

  async take(part: BackupPart): Promise<void> {
    if (part.kind === 'key') this.#key = part.key
    else if (part.kind === 'summary') this.#summary = part.summary
    else if (part.kind === 'table') {
      const { table, columns, lines } = part
      this.#load.checkTable(table)
      for await (const rows of lines) await this.#load.addRows(table, columns, rows)
    } else if (part.kind === 'image') await this.#putImage(part)
  }

  /** Makes the tables that the rows came from. */
  async begin({ migrations }: Manifest): Promise<void> {
    const names = new Set(migrations.map(({ name }) => name))
    const known = migrationNames().filter((name) => names.has(name))
    await this.#load.begin(known.map((name) => ({ name, checksum: readMigration(name).checksum })))
  }

  /** An image never changes. One that did is put back if the restore fails. */
  async #putImage({ key, mediaType, bytes }: Extract<BackupPart, { kind: 'image' }>): Promise<void> {
    if (!(await this.#load.hasImage(shopIdIn(key), key)))
      throw new BackupError(`The file has no row of the image ${key}.`)
    this.#imageCount += 1
    const known = await this.#images.get(key)
    if (known !== undefined && Buffer.compare(known, bytes) === 0) return
    if (known === undefined) this.#folder.note({ image: key })
    this.#writtenImages.push({ key, mediaType, before: known && this.#keep(key, known) })
    await this.#images.put(key, bytes, mediaType)
  }

  /** Returns where the bytes are kept: there may be more than the memory takes. */
  #keep(key: string, bytes: Uint8Array): string {
    const file = join(this.#folder.path, key)
    writeFileSync(file, bytes, { mode: 0o600 })
    return file
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

  /** A key is never overwritten: that it fits was checked at the beginning. */
  keepKey(): WrittenStore['key'] {
    if (findEncryptionKey(this.#config) !== undefined) return 'there'
    if (this.#key === undefined) return 'missing'
    makePrivateFolder(this.#config.dataDir)
    const file = join(this.#config.dataDir, 'encryption-key')
    this.#folder.note({ keyFile: file })
    writeFileSync(file, `${this.#key}\n`, { mode: 0o600, flag: 'wx' })
    this.#keyFile = file
    return 'written'
  }

  /** Removes the files that were not there before, and puts back those that were. */
  async removeFiles(): Promise<void> {
    if (this.#keyFile !== undefined) await rm(this.#keyFile, { force: true })
    for (const { key, mediaType, before } of this.#writtenImages) {
      const undone =
        before === undefined ? this.#images.delete(key) : this.#images.put(key, await readFile(before), mediaType)
      await undone.catch(() => {})
    }
  }
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
