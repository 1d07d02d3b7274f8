import { type Clock, secondMs } from '../../platform/foundation/clock.ts'
import {
  type FailedBackup,
  failedBackupFact,
  type LastBackup,
  lastBackupFact,
} from '../../platform/store/installation.ts'
import type { JobRow } from './store.ts'

export type JobState = 'ok' | 'failed' | 'overdue'

/** The schedule checks jobs every ten seconds, and one that runs long delays the others. */
const toleranceMs = 5 * 60 * secondMs

export function stateOfJob(
  { started_at, every_ms, finished_at, failed_at }: JobRow,
  now: ReturnType<Clock['now']>,
): JobState {
  if (failed_at !== null && (finished_at === null || failed_at > finished_at)) return 'failed'
  if (every_ms !== null && now.getTime() - started_at.getTime() > every_ms + toleranceMs) return 'overdue'
  return 'ok'
}

export interface BackupState {
  last: LastBackup | undefined
  /** The last one that failed, unless one was complete after it. */
  failed: FailedBackup | undefined
}

export function stateOfBackups(facts: ReadonlyMap<string, string>): BackupState {
  const last: LastBackup | undefined = JSON.parse(facts.get(lastBackupFact) ?? 'null') ?? undefined
  const failed: FailedBackup | undefined = JSON.parse(facts.get(failedBackupFact) ?? 'null') ?? undefined
  return { last, failed: failed && last && last.at >= failed.at ? undefined : failed }
}
