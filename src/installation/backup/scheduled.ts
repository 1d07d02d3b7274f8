import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/foundation/context.ts'
import {
  type FailedBackup,
  failedBackupFact,
  type LastBackup,
  lastBackupFact,
  putFact,
} from '../../platform/store/installation.ts'
import { openPlace } from './places.ts'
import { readStore } from './read-store.ts'

type BackupSettings = Pick<Config, 'backup' | 'dataDir' | 'databaseUrl' | 's3' | 'encryptionKey'>

const namePattern = /^doorstep-\d{8}T\d{6}Z\.backup$/
/** The file that a killed process has left. */
const unfinishedPattern = /^doorstep-\d{8}T\d{6}Z\.backup\.unfinished$/

/**
 * Writes one backup, and then deletes the oldest past the number to keep. Nothing is deleted if it fails. Both outcomes
 * are facts in the store, so that every node and `doorstep doctor` can see them.
 */
export async function runScheduledBackup(context: Context, config: BackupSettings, signal: AbortSignal): Promise<void> {
  const { to, keep, passphrase, withKey } = config.backup
  if (to === undefined) return
  const startedAt = performance.now()
  const at = context.now.toISOString()
  try {
    const place = openPlace(to, config.s3)
    const name = `doorstep-${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`
    const { entries, summary } = readStore(config, { now: context.now, withImages: true, withKey, signal })
    const bytes = await place.write(name, entries, passphrase)
    const seconds = Math.round(performance.now() - startedAt) / 1_000
    await putFact(context, lastBackupFact, JSON.stringify({ at, name, bytes, seconds } satisfies LastBackup))
    context.log.info({ name, bytes, seconds, images: summary.images }, 'a scheduled backup is complete')
    const names = await place.list()
    const ours = names.filter((each) => namePattern.test(each)).sort()
    const unfinished = names.filter((each) => unfinishedPattern.test(each) && each < name)
    for (const old of [...ours.slice(0, -keep), ...unfinished]) await place.delete(old)
  } catch (err) {
    if (signal.aborted) return
    const failure: FailedBackup = { at, message: (err as Error).message }
    await putFact(context, failedBackupFact, JSON.stringify(failure)).catch(() => {})
    context.log.error({ err }, 'a scheduled backup failed; older ones are kept')
  }
}
