import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { systemClock } from '../../platform/foundation/clock.ts'
import { openEngine } from '../../platform/store/database.ts'
import { lockDirectory } from '../../platform/store/embedded/lock.js'
import { hasStore } from '../../platform/store/embedded/unfinished-restores.js'
import type { PreparingClient } from '../../platform/store/prepared.ts'
import { lockForReplacement } from '../../platform/store/store-locks.ts'
import { findEncryptionKey } from '../setup/encryption-keys.ts'
import {
  type CheckedBackup,
  checkBackupFile,
  type OpenOptions,
  readBackupFile,
  writeBackupFile,
} from './backup-file.ts'
import { BackupError, type Summary } from './contents.ts'
import { readStore } from './read-store.ts'
import { checkNobodyUses, type WrittenStore, writeStore } from './write-store.ts'

export interface BackupOptions {
  withImages: boolean
  withKey: boolean
}

export interface BackupReport {
  file: string
  bytes: number
  isEncrypted: boolean
  hasKey: boolean
  hasImages: boolean
  summary: Summary
}

/** Writes a backup of the store of the settings, while a service uses it. */
export async function backUp(file: string, options: BackupOptions): Promise<BackupReport> {
  const config = readConfig()
  const passphrase = config.backup.passphrase
  checkKeyIsSealed(options.withKey, passphrase)
  if (existsSync(file)) throw new BackupError(`${file} exists. A backup replaces no file.`)
  if (!existsSync(dirname(resolve(file)))) throw new BackupError(`There is no folder ${dirname(file)}.`)
  const reading = readStore(config, { ...options, now: systemClock.now() })
  const bytes = await writeBackupFile(file, reading.entries, passphrase)
  return {
    file,
    bytes,
    isEncrypted: passphrase !== undefined,
    hasKey: options.withKey,
    hasImages: options.withImages,
    summary: reading.summary,
  }
}

/** With the key, everything in the store can be read; so the file itself must be encrypted. */
function checkKeyIsSealed(withKey: boolean, passphrase: string | undefined): void {
  if (!withKey || passphrase !== undefined) return
  throw new BackupError('The encryption key goes into encrypted backups only: set BACKUP_PASSPHRASE.')
}

/** Verifies a whole file, and returns what it says about itself. */
export async function checkBackup(file: string, options: OpenOptions): Promise<CheckedBackup> {
  checkFileExists(file)
  return checkBackupFile(file, readConfig().backup.passphrase, options)
}

export interface RestoreOptions extends OpenOptions {
  replace: boolean
}

export interface RestoredStore extends WrittenStore {
  isEncrypted: boolean
}

/** Fills the store of the settings from a backup. The whole file is verified before anything is changed. */
export async function restore(file: string, options: RestoreOptions): Promise<RestoredStore> {
  const config = readConfig()
  const { passphrase } = config.backup
  checkFileExists(file)
  await checkBackupFile(file, passphrase, options)
  const { isEncrypted, entries } = await readBackupFile(file, passphrase, options)
  return { isEncrypted, ...(await writeStore(config, entries, { replace: options.replace })) }
}

function checkFileExists(file: string): void {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`)
}

export interface MovedStore extends WrittenStore {
  /** The setting to use from now on. */
  setting: string
}

/** Copies the store of the settings to another engine or place, which must be empty. The service must not run. */
export async function moveStore(to: string): Promise<MovedStore> {
  const config = readConfig()
  const target = targetOf(config, to)
  const release = await keepServicesOut(config)
  try {
    const reading = readStore(config, { now: systemClock.now(), withImages: false, withKey: false })
    const written = await writeStore(target, reading.entries, { replace: false })
    await bringFiles(config, target)
    return { ...written, setting: target.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', key: keyOf(target) }
  } finally {
    await release()
  }
}

function targetOf(config: Config, to: string): Config {
  if (/^postgres(ql)?:\/\//.test(to)) {
    if (config.databaseUrl === to) throw new BackupError('The store is there already.')
    return { ...config, databaseUrl: to }
  }
  const isSameFolder = resolve(to) === resolve(config.dataDir)
  if (isSameFolder && config.databaseUrl === undefined) throw new BackupError('The store is there already.')
  return { ...config, databaseUrl: undefined, dataDir: to }
}

function keyOf(target: Config): WrittenStore['key'] {
  return findEncryptionKey(target) === undefined ? 'missing' : 'there'
}

/** Orders that a running service accepts meanwhile would stay behind. */
async function keepServicesOut(config: Config): Promise<() => Promise<void>> {
  if (config.databaseUrl === undefined) {
    if (!hasStore(config.dataDir)) throw new BackupError(`There is no store in ${config.dataDir}.`)
    // Throws if somebody has it; reading it takes the lock again.
    const unlock = await lockDirectory(config.dataDir)
    await unlock()
    return async () => {}
  }
  const engine = await openEngine({ ...config, databasePool: 1 })
  let client: PreparingClient | undefined
  const release = async () => {
    client?.release()
    // With the connection, its locks end.
    await engine.close()
  }
  try {
    client = await engine.pool.connect()
    await lockForReplacement(client)
    await checkNobodyUses(client)
    return release
  } catch (error) {
    await release()
    throw error
  }
}

/** Images and key stay in their folder, and come along to another one. */
async function bringFiles(config: Config, target: Config): Promise<void> {
  if (resolve(config.dataDir) === resolve(target.dataDir)) return
  for (const name of ['images', 'encryption-key']) {
    const from = join(config.dataDir, name)
    if (existsSync(from)) await cp(from, join(target.dataDir, name), { recursive: true, force: false })
  }
}
