import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { fingerprintOf } from '../../platform/foundation/vault.ts'
import type { StoreState } from '../../platform/store/inspect-store.ts'
import { findEncryptionKey, fingerprintFact, keysInUseFact, keysOf } from '../setup/encryption-keys.ts'
import { type Finding, good, problem, warning } from './finding.ts'

const littleBytes = 1_000_000_000
const tooLittleBytes = 100_000_000

/** Whether the secrets in the store can be read. The key itself is not shown. */
export function checkEncryptionKey(config: Config, store: StoreState | undefined): Finding {
  const check = 'encryption key'
  const key = findEncryptionKey(config)
  const known = store?.facts.get(fingerprintFact)
  if (key === undefined) {
    if (known === undefined) return good(check, 'There is none yet: the first start creates it in DATA_DIR.')
    const advice = 'Set ENCRYPTION_KEY, or put back the file encryption-key of the DATA_DIR where the store was set up.'
    return problem(check, 'It is missing, and the store was set up with one: its secrets cannot be read.', advice)
  }
  const ours = keysOf(key, known).map(fingerprintOf)
  const inUse = store?.facts.get(keysInUseFact)?.split(',') ?? (known === undefined ? [] : [known])
  const missing = inUse
    .filter((fingerprint) => !ours.includes(fingerprint))
    .map((fingerprint) => fingerprint.slice(0, 8))
  if (missing.length > 0) {
    const advice = 'Set it, behind a new one if there is one; without it, the service does not start.'
    return problem(check, `The key ${missing.join(' and ')}, which the store uses, is missing.`, advice)
  }
  if (config.encryptionKey === undefined && config.databaseUrl !== undefined) {
    const message = 'It is only in DATA_DIR: without that folder, the secrets in the database cannot be read.'
    return warning(check, message, 'Keep a copy of DATA_DIR/encryption-key, or set ENCRYPTION_KEY.')
  }
  return good(
    check,
    known === undefined
      ? 'It is there.'
      : ours.length > 1 && inUse.length > 1
        ? 'All keys that the store uses are there. Run "doorstep rotate-keys" to need the first one only.'
        : 'It is the one that the store uses.',
  )
}

export async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  const check = 'disk'
  const folder = existing(resolve(dataDir))
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${(free / 1_000_000_000).toFixed(1)} GB are free in ${dataDir}.`
  const advice = 'Free some space or move DATA_DIR: photos, uploads and the embedded store are written there.'
  if (free < tooLittleBytes) return [problem(check, text, advice)]
  return [free < littleBytes ? warning(check, text, advice) : good(check, text)]
}

/** The folder, or the one in which it would be created. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}
