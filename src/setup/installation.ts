import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { claimFact } from '../database/installation.ts'
import { findSigningKeys, insertSigningKey } from '../database/signing-keys.ts'
import type { Clock } from '../foundation/clock.ts'
import { isSame, sha256 } from '../foundation/crypto.ts'
import { randomText } from '../foundation/ids.ts'
import { SigningKeys } from '../foundation/signing-keys.ts'
import type { Vault } from '../foundation/vault.ts'
import { findSuperadminHash, putSuperadminKey } from '../resources/keys/store.ts'
import { openVault } from './encryption-keys.ts'

export interface Credentials {
  username: string
  apiKey: string
}

export interface Installation {
  vault: Vault
  signing: SigningKeys
  isFirstStart: boolean
  newCredentials: Credentials | undefined
}

/** What an installation needs once: the keys that encrypt and sign, and its first credentials. */
export async function prepareInstallation(config: Config, database: Database, clock: Clock): Promise<Installation> {
  const { vault, original } = await openVault(config, database)
  const { db } = database
  if (original !== undefined) {
    const start = { id: 'original', secret: original, signsFrom: clock.now(), validUntil: null }
    await insertSigningKey({ db, now: clock.now() }, vault, start)
  }
  const signing = new SigningKeys(clock)
  signing.use(await findSigningKeys({ db }, vault))
  const superadmin = await prepareSuperadmin(config, database, clock)
  return { vault, signing, ...superadmin }
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
