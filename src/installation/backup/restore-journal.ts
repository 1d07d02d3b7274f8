import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { fingerprintOf } from '../../platform/foundation/vault.ts'
import type { Database } from '../../platform/store/database.ts'
import { DirectoryInUse, lockDirectory } from '../../platform/store/embedded/lock.js'
import {
  finishRestores,
  restoreFolders,
  restoreJournal,
  restorePrefix,
} from '../../platform/store/embedded/unfinished-restores.js'
import { findFact } from '../../platform/store/installation.ts'
import { makePrivateFolder } from '../../platform/store/private-folder.js'
import { createImageStore } from '../../shops/images/image-store.ts'
import { shopIdIn } from '../../shops/images/rules.ts'
import { hasImage } from '../../shops/images/store.ts'
import { fingerprintFact, keysOf } from '../setup/encryption-keys.ts'

type StoreConfig = Pick<Config, 'dataDir' | 's3' | 'databaseUrl'>

/** A file that a restore writes outside of the store. */
type Written = { image: string } | { keyFile: string }

/**
 * The folder that a restore works in, with a list of what it writes elsewhere: written down before it is done, so that the
 * next start can remove what a killed restore has left.
 */
export class RestoreFolder {
  readonly #config: StoreConfig
  #path: string | undefined

  constructor(config: StoreConfig) {
    this.#config = config
  }

  /** Made on first use: a restore to PostgreSQL and S3 may need none. */
  get path(): string {
    if (this.#path === undefined) {
      makePrivateFolder(this.#config.dataDir)
      this.#path = mkdtempSync(join(this.#config.dataDir, restorePrefix))
    }
    return this.#path
  }

  note(written: Written): void {
    try {
      appendFileSync(join(this.path, restoreJournal), `${JSON.stringify(written)}\n`, { mode: 0o600 })
    } catch (error) {
      // An installation with PostgreSQL and S3 may have no folder of its own.
      if (this.#config.s3 === undefined || 'keyFile' in written) throw error
    }
  }

  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true })
  }
}

/**
 * Removes what killed restores have left: images and a key that do not belong to the store as it is. A restore that was
 * killed when its rows were there already has brought what belongs to them, and nothing of that is removed.
 */
export async function removeUnfinishedRestores(config: StoreConfig, database: Database): Promise<void> {
  if (restoreFolders(config.dataDir).length === 0) return
  if (database.engine === 'embedded') return removeWritten(config, database)
  // Another process may restore to the embedded store of this folder now.
  const unlock = await lockDirectory(config.dataDir).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return undefined
    throw error
  })
  if (unlock === undefined) return
  try {
    finishRestores(config.dataDir)
    await removeWritten(config, database)
  } finally {
    await unlock()
  }
}

async function removeWritten(config: StoreConfig, context: Pick<Database, 'db'>): Promise<void> {
  const images = createImageStore(config)
  for (const folder of restoreFolders(config.dataDir)) {
    const journal = join(folder, restoreJournal)
    for (const written of existsSync(journal) ? readJournal(journal) : []) {
      if ('keyFile' in written) await removeForeignKey(context, written.keyFile)
      else if (!(await hasImage(context, shopIdIn(written.image), written.image))) await images.delete(written.image)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A line that the kill has cut off names nothing that was written. */
function readJournal(path: string): Written[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Written) // as `note` wrote it
}

async function removeForeignKey(context: Pick<Database, 'db'>, file: string): Promise<void> {
  if (!existsSync(file)) return
  const setUpWith = await findFact(context, fingerprintFact)
  const keys = setUpWith === undefined ? [] : keysOf(readFileSync(file, 'utf8').trim(), setUpWith)
  if (!keys.some((key) => fingerprintOf(key) === setUpWith)) rmSync(file, { force: true })
}
