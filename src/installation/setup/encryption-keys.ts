import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { ConfigError } from '../../platform/config/config-error.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import { createVault, fingerprintOf, type Vault } from '../../platform/foundation/vault.ts'
import type { Database } from '../../platform/store/database.ts'
import { claimFact, putFact } from '../../platform/store/installation.ts'
import { makePrivateFolder } from '../../platform/store/private-folder.js'
import { countSealed } from '../../platform/store/sealed-values.ts'

/** The fingerprint of the key that the store was set up with. */
export const fingerprintFact = 'encryption_key_fingerprint'
/** The fingerprints of the keys that values may be encrypted with. */
export const keysInUseFact = 'encryption_keys_in_use'

type KeyConfig = Pick<Config, 'dataDir' | 'encryptionKey'>

/** The vault of this node, and the key that the store was set up with, if this node still has it. */
export async function openVault(
  config: KeyConfig,
  database: Pick<Database, 'db' | 'engine'>,
): Promise<{ vault: Vault; original: string | undefined }> {
  const text = config.encryptionKey ?? storedKeys(config.dataDir)
  return database.db.transaction().execute(async (db) => {
    const first = fingerprintOf(keysOf(text)[0] ?? '')
    const { value: setUpWith } = await claimFact({ db }, fingerprintFact, first)
    const keys = keysOf(text, setUpWith)
    const vault = createVault(keys, setUpWith.slice(0, 8))
    const { value } = await claimFact({ db }, keysInUseFact, setUpWith)
    const inUse = value.split(',')
    const ours = keys.map(fingerprintOf)
    const missing = inUse.filter((fingerprint) => !ours.includes(fingerprint))
    if (missing.length > 0) throw await missingKeys({ db }, vault, missing)
    const [sealing = ''] = ours
    if (!inUse.includes(sealing)) await putFact({ db }, keysInUseFact, [...inUse, sealing].join(','))
    // Only here, where no request of ours is about to store what it has encrypted before.
    if (config.encryptionKey === undefined && database.engine === 'embedded' && inUse.join() === sealing) {
      await forgetFormer({ db }, vault, config.dataDir)
    }
    return { vault, original: keys.find((key) => fingerprintOf(key) === setUpWith) }
  })
}

/** Of the list in the setting or in the file: the first encrypts, all decrypt. A key from before there were lists may contain commas. */
export function keysOf(text: string, setUpWith?: string): string[] {
  if (setUpWith !== undefined && fingerprintOf(text) === setUpWith) return [text]
  const keys = text
    .split(/[,\r\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (keys.length > 0 && keys.every((key) => key.length >= 16)) return keys
  throw new ConfigError('ENCRYPTION_KEY is wrong: each key of its list must have at least 16 characters.')
}

/** The keys that the installation has, as they are set, without creating any. */
export function findEncryptionKey({ encryptionKey, dataDir }: KeyConfig): string | undefined {
  if (encryptionKey !== undefined) return encryptionKey
  const file = keyFile(dataDir)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Puts a new key in front of the others in the data folder, and returns it. */
function addStoredKey(dataDir: string): string {
  const file = keyFile(dataDir)
  const key = randomText(43)
  // Written beside it first, so that no crash leaves half a file.
  writeFileSync(`${file}.new`, `${key}\n${readFileSync(file, 'utf8')}`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return key
}

/** Leaves the first key of the data folder only, if nothing is encrypted with another one. */
async function forgetFormer(store: Pick<Database, 'db'>, vault: Vault, dataDir: string): Promise<void> {
  if (vault.keyIds().length === 1) return
  if ((await countSealed(store)).some(({ prefix }) => !vault.prefixOf().equals(prefix))) return
  const file = keyFile(dataDir)
  const [key = ''] = keysOf(readFileSync(file, 'utf8'))
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

function keyFile(dataDir: string): string {
  return join(dataDir, 'encryption-key')
}

/** The keys in the data folder, the first of them created at the first start. Only the owner can read them. */
function storedKeys(dataDir: string): string {
  const file = keyFile(dataDir)
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

/** Nodes with different keys could not read each other's secrets, so this one stops before it writes any. */
async function missingKeys(store: Pick<Database, 'db'>, vault: Vault, missing: string[]): Promise<ConfigError> {
  const ids = missing.map((fingerprint) => fingerprint.slice(0, 8))
  const unreadable = (await countSealed(store)).filter(({ prefix }) =>
    ids.some((id) => vault.prefixOf(id).equals(prefix)),
  )
  const places = unreadable.map(({ column, values }) => `${column} (${values})`).join(', ')
  const what = places === '' ? '' : ` It encrypts ${places}.`
  return new ConfigError(
    `ENCRYPTION_KEY is wrong: this store also uses the key ${ids.join(' and ')}, which is missing.${what} Put it back, behind a new one if there is one (without the setting, it is in DATA_DIR/encryption-key of the first node), and remove it only when "doorstep rotate-keys --check" says so.`,
  )
}

/** The source of keys, and how to make another one if the service may. */
interface KeySource {
  source: 'setting' | 'data_folder'
  makeKey: (() => string) | undefined
}

/** The service itself makes keys only if no other node has to know them. */
export function keySourceOf({ encryptionKey, dataDir }: KeyConfig, engine: Database['engine']): KeySource {
  if (encryptionKey !== undefined) return { source: 'setting', makeKey: undefined }
  if (engine === 'postgres') return { source: 'data_folder', makeKey: undefined }
  return { source: 'data_folder', makeKey: () => addStoredKey(dataDir) }
}
