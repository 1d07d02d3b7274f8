import type { Config } from '../../platform/config/config.ts'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { StoreState } from '../../platform/store/inspect-store.ts'
import {
  type FailedBackup,
  failedBackupFact,
  type LastBackup,
  lastBackupFact,
} from '../../platform/store/installation.ts'
import { type Finding, good, warning } from './finding.ts'

/** Whether scheduled backups are made as often as the settings say. */
export function checkBackups({ backup }: Config, store: StoreState | undefined): Finding[] {
  const check = 'backups'
  if (backup.to === undefined || store === undefined) return []
  const success = read<LastBackup>(store.facts.get(lastBackupFact))
  const failure = read<FailedBackup>(store.facts.get(failedBackupFact))
  if (failure && (success === undefined || failure.at > success.at)) {
    const message = `The last scheduled backup failed at ${failure.at}: ${failure.message}`
    return [warning(check, message, 'Check BACKUP_TO, its disk or account, and the log of the service.')]
  }
  if (success === undefined) {
    return [warning(check, 'No scheduled backup was made yet.', 'Start the service, and run this again.')]
  }
  if (store.now.getTime() - Date.parse(success.at) > 2 * backup.everyHours * hourMs) {
    const advice = 'Check that a node with workers runs, and that it has BACKUP_TO.'
    return [warning(check, `The last scheduled backup is of ${success.at}.`, advice)]
  }
  return [good(check, `The last scheduled backup is of ${success.at}.`)]
}

function read<Fact>(fact: string | undefined): Fact | undefined {
  return fact === undefined ? undefined : JSON.parse(fact)
}
