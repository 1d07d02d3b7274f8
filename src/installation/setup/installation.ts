import { findSuperadminHashes, putSuperadminKeys, removeSuperadminKeys } from '../../access/keys/store.ts'
import type { Config } from '../../platform/config/config.ts'
import { ConfigError } from '../../platform/config/config-error.ts'
import type { Clock } from '../../platform/foundation/clock.ts'
import { isSame, sha256 } from '../../platform/foundation/crypto.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import { SigningKeys } from '../../platform/foundation/signing-keys.ts'
import type { Vault } from '../../platform/foundation/vault.ts'
import type { Database } from '../../platform/store/database.ts'
import { claimFact, removeFact } from '../../platform/store/installation.ts'
import { findMovedKeys, findSigningKeys, insertSigningKey } from '../../platform/store/signing-keys.ts'
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

/** The name of the fact with the time the superadmin was made. */
const superadminFact = 'superadmin_made'

/** Prepares what an installation needs once: the keys that encrypt and sign, and its first credentials. */
export async function prepareInstallation(config: Config, database: Database, clock: Clock): Promise<Installation> {
  const { vault, original } = await openVault(config, database)
  const { db } = database
  if (original !== undefined) {
    const start = { id: 'original', secret: original, signsFrom: clock.now(), validUntil: null }
    await insertSigningKey({ db, now: clock.now() }, vault, start)
  }
  const signing = new SigningKeys(clock)
  signing.use(await findSigningKeys({ db }, vault), await findMovedKeys({ db }, vault))
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
    const { isNew } = await claimFact({ db }, superadminFact, clock.now().toISOString())
    const write = (apiKeys: string[]) => putSuperadminKeys({ db, now: clock.now() }, config.adminUsername, apiKeys)
    if (config.adminApiKey !== undefined) {
      const known = await findSuperadminHashes({ db }, config.adminUsername)
      const keys = adminKeysOf(config.adminApiKey, known[0])
      const isKnown = keys.length === known.length && keys.every((key, index) => isHashOf(known[index], key))
      if (!isKnown) await write(keys)
      return { isFirstStart: isNew, newCredentials: undefined }
    }
    if (!isNew) return { isFirstStart: false, newCredentials: undefined }
    const apiKey = `dsk_${randomText(40)}`
    await write([apiKey])
    return { isFirstStart: true, newCredentials: { username: config.adminUsername, apiKey } }
  })
}

/** Removes credentials that nobody has seen, because the start failed: the next one makes others, and prints them. */
export async function takeBackCredentials(database: Database, { newCredentials }: Installation): Promise<void> {
  if (newCredentials === undefined) return
  await database.db.transaction().execute(async (db) => {
    await removeSuperadminKeys({ db })
    await removeFact({ db }, superadminFact)
  })
}

const maxAdminKeys = 4

/** Of the list in ADMIN_API_KEY: all are accepted. A key from before there were lists may contain commas. */
function adminKeysOf(text: string, known: Buffer | undefined): string[] {
  if (isHashOf(known, text)) return [text]
  const keys = text
    .split(/[,\r\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const isRight = keys.length > 0 && keys.every((key) => key.length >= 16 && key.length <= 128)
  if (isRight && keys.length <= maxAdminKeys) return [...new Set(keys)]
  throw new ConfigError(
    `ADMIN_API_KEY is wrong: it is a list of at most ${maxAdminKeys} keys, each with 16 to 128 characters.`,
  )
}

function isHashOf(known: Buffer | undefined, key: string): boolean {
  return known !== undefined && isSame(known, sha256(key))
}
