import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { claimFact } from '../database/installation.ts'
import { makePrivateFolder } from '../database/private-folder.js'
import type { Clock } from '../foundation/clock.ts'
import { createVault, isSame, sha256, type Vault } from '../foundation/crypto.ts'
import { randomText } from '../foundation/ids.ts'
import { findSuperadminHash, putSuperadminKey } from '../resources/keys/store.ts'

export interface Credentials {
  username: string
  apiKey: string
}

export interface Installation {
  vault: Vault
  isFirstStart: boolean
  newCredentials: Credentials | undefined
}

/** What an installation needs once: the key that encrypts its secrets, and its first credentials. */
export async function prepareInstallation(config: Config, database: Database, clock: Clock): Promise<Installation> {
  const vault = createVault(config.encryptionKey ?? storedKey(config.dataDir))
  await checkFingerprint(database, vault)
  const superadmin = await prepareSuperadmin(config, database, clock)
  return { vault, ...superadmin }
}

/** The key in the data folder, created at the first start. Only the owner can read it. */
function storedKey(dataDir: string): string {
  const file = join(dataDir, 'encryption-key')
  if (!existsSync(file)) {
    makePrivateFolder(dataDir)
    try {
      writeFileSync(file, `${randomText(43)}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process created it first; use that key.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return readFileSync(file, 'utf8').trim()
}

/** Nodes with different keys could not read each other's secrets, so the second one stops before it writes any. */
async function checkFingerprint(database: Database, vault: Vault): Promise<void> {
  const fingerprint = vault.derive('fingerprint').toString('hex').slice(0, 16)
  const { value } = await claimFact(database, 'encryption_key_fingerprint', fingerprint)
  if (value !== fingerprint) {
    throw new ConfigError(
      'ENCRYPTION_KEY is wrong: this store was set up with another one. Set the key it was set up with (without the setting, it is in DATA_DIR/encryption-key of the first node).',
    )
  }
}

async function prepareSuperadmin(
  config: Config,
  database: Database,
  clock: Clock,
): Promise<Pick<Installation, 'isFirstStart' | 'newCredentials'>> {
  return database.db.transaction().execute(async (db) => {
    // The node that inserts the row creates the credentials; a node that starts at the same moment waits here.
    const { isNew } = await claimFact({ db }, 'superadmin_made', clock.now().toISOString())
    const write = (apiKey: string) => putSuperadminKey({ db, now: clock.now() }, config.adminUsername, apiKey)
    if (config.adminApiKey !== undefined) {
      const known = await findSuperadminHash({ db }, config.adminUsername)
      if (known === undefined || !isSame(known, sha256(config.adminApiKey))) await write(config.adminApiKey)
      return { isFirstStart: isNew, newCredentials: undefined }
    }
    if (!isNew) return { isFirstStart: false, newCredentials: undefined }
    const apiKey = `dsk_${randomText(40)}`
    await write(apiKey)
    return { isFirstStart: true, newCredentials: { username: config.adminUsername, apiKey } }
  })
}
