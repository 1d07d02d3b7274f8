import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { ArchiveEntry } from '../../platform/foundation/archive/format.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { openEngine } from '../../platform/store/database.ts'
import { copyRunningStore } from '../../platform/store/embedded/copy-running.ts'
import { openEmbedded } from '../../platform/store/embedded/engine.ts'
import { hasStore } from '../../platform/store/embedded/unfinished-restores.js'
import type { Engine } from '../../platform/store/engine.ts'
import type { PreparingClient } from '../../platform/store/prepared.ts'
import {
  beginSnapshot,
  endSnapshot,
  listAppliedMigrations,
  listSequences,
  listStoredImages,
  listStoredTables,
  readFact,
  readTable,
} from '../../platform/store/store-contents.ts'
import { createImageStore } from '../../shops/images/image-store.ts'
import { findEncryptionKey, fingerprintFact, keysInUseFact } from '../setup/encryption-keys.ts'
import { BackupError, entryNames, type Manifest, type Summary } from './contents.ts'

export interface ReadOptions {
  now: Date
  withImages: boolean
  withKey: boolean
  /** Stops between two parts. */
  signal?: AbortSignal | undefined
}

/** The entries, and a summary that is complete once the last entry was read. */
export interface StoreReading {
  entries: AsyncIterable<ArchiveEntry>
  summary: Summary
}

type StoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'encryptionKey'>

/** Everything in the store as it is at one moment, while others use it. */
export function readStore(config: StoreConfig, options: ReadOptions): StoreReading {
  const summary: Summary = { rows: {}, images: 0, missingImages: 0 }
  return { entries: readEntries(config, options, summary), summary }
}

async function* readEntries(config: StoreConfig, options: ReadOptions, summary: Summary): AsyncGenerator<ArchiveEntry> {
  const source = await openForReading(config, options.now)
  try {
    const client = await source.engine.pool.connect()
    try {
      await beginSnapshot(client)
      const manifest = await describe(client, source.engine, options)
      yield jsonEntry(entryNames.manifest, manifest)
      if (options.withKey) yield keyEntry(config)
      for (const table of await listStoredTables(client)) {
        summary.rows[table.name] = 0
        yield {
          name: `${entryNames.table}${table.name}`,
          fields: { columns: table.columns },
          content: rowsOf(readTable(client, table), table.name, summary, options.signal),
        }
      }
      if (options.withImages) yield* imageEntries(config, client, summary, options.signal)
      yield jsonEntry(entryNames.summary, summary)
      await endSnapshot(client)
    } finally {
      client.release()
    }
  } finally {
    await source.close()
  }
}

async function describe(client: PreparingClient, engine: Engine, options: ReadOptions): Promise<Manifest> {
  return {
    createdAt: options.now.toISOString(),
    engine: engine.engine,
    migrations: await listAppliedMigrations(client).catch(() => {
      throw new BackupError('There is no store to read: the service has never been started with these settings.')
    }),
    sequences: await listSequences(client),
    hasImages: options.withImages,
    hasKey: options.withKey,
    keyFingerprint: await readFact(client, fingerprintFact),
    keysInUse: await readFact(client, keysInUseFact),
  }
}

async function* rowsOf(
  parts: AsyncIterable<{ bytes: Buffer; rows: number }>,
  table: string,
  summary: Summary,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const { bytes, rows } of parts) {
    signal?.throwIfAborted()
    summary.rows[table] = (summary.rows[table] ?? 0) + rows
    yield bytes
  }
}

/** The bytes of an image never change, so they need no snapshot; one that is gone by now was deleted on purpose. */
async function* imageEntries(
  config: StoreConfig,
  client: PreparingClient,
  summary: Summary,
  signal: AbortSignal | undefined,
): AsyncGenerator<ArchiveEntry> {
  const images = createImageStore(config)
  for await (const { key, mediaType } of listStoredImages(client)) {
    signal?.throwIfAborted()
    const bytes = await images.get(key)
    if (bytes === undefined) {
      summary.missingImages += 1
      continue
    }
    summary.images += 1
    yield { name: `${entryNames.image}${key}`, fields: { mediaType }, content: [bytes] }
  }
}

function keyEntry(config: StoreConfig): ArchiveEntry {
  const key = findEncryptionKey(config)
  if (key === undefined) throw new BackupError('There is no encryption key to include: set ENCRYPTION_KEY or DATA_DIR.')
  return { name: entryNames.key, fields: {}, content: [Buffer.from(key)] }
}

function jsonEntry(name: string, value: unknown): ArchiveEntry {
  return { name, fields: {}, content: [Buffer.from(JSON.stringify(value))] }
}

/** PostgreSQL as it is, and a copy of an embedded store that is in use. */
async function openForReading(config: StoreConfig, now: Date): Promise<{ engine: Engine; close(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return closing(await openEngine({ ...config, databasePool: 1 }))
  if (!hasStore(config.dataDir)) throw new BackupError(`There is no store in ${config.dataDir}.`)
  await removeOldCopies(config.dataDir, now)
  const folder = await mkdtemp(join(config.dataDir, copyPrefix))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    if (!(await copyRunningStore(config.dataDir, folder))) {
      await remove()
      return closing(await openEmbedded(config.dataDir))
    }
    return closing(await openEmbedded(folder), remove)
  } catch (error) {
    await remove()
    throw error
  }
}

function closing(engine: Engine, after: () => Promise<void> = async () => {}) {
  return {
    engine,
    async close() {
      await engine.close()
      await after()
    },
  }
}

const copyPrefix = '.backup-'

/** Left by processes that were killed. */
async function removeOldCopies(dataDir: string, now: Date): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(copyPrefix))) {
    const path = join(dataDir, name)
    if (statSync(path).mtimeMs < now.getTime() - dayMs) await rm(path, { recursive: true, force: true })
  }
}
