import type { Tone } from '../../../kit/badge.tsx'
import { formatBytes, formatList, formatSpan } from '../../../kit/format.ts'
import { t } from '../../../texts/texts.ts'
import type { Status } from './reply.ts'

/** Something that an operator should look at. */
export interface Finding {
  name: string
  tone: Extract<Tone, 'late' | 'wrong'>
  words: string
  /** The section of the guide's page that says what to do. */
  section: string
}

// The limits of the alerts in deploy/prometheus, so that this page and they say the same.
const longWaitSeconds = 600
const littleDisk = 0.05
const hourMs = 3_600_000

/** The problems, the worst first; empty: all is well. */
export function findingsOf(status: Status, now: number): Finding[] {
  const findings = [
    ...ofChecks(status),
    ...ofDisk(status),
    ...ofProcesses(status),
    ...ofQueues(status),
    ...ofJobs(status),
    ...ofBackups(status, now),
  ]
  return findings.toSorted((one, other) => Number(other.tone === 'wrong') - Number(one.tone === 'wrong'))
}

const sections = {
  store: 'the-store-does-not-respond',
  migrations: 'migrations-are-missing',
  clock: 'clocks-disagree',
  workers: 'jobs-do-not-run',
} as const

function ofChecks({ checks, clock_skew_ms }: Status): Finding[] {
  return checks.flatMap(({ name, state }) => {
    if (state === 'ok' || name === 'disk') return []
    const span = formatSpan(Math.abs(clock_skew_ms ?? 0) / 1_000)
    const tone = state === 'failed' ? 'wrong' : 'late'
    return [{ name, tone, words: t(`status.finding.${name}`, { span }), section: sections[name] }]
  })
}

function ofDisk({ checks, disk }: Status): Finding[] {
  const state = checks.find(({ name }) => name === 'disk')?.state ?? 'ok'
  const isSmall = disk !== null && disk.free_bytes < disk.size_bytes * littleDisk
  if (state === 'ok' && !isSmall) return []
  const words = disk
    ? t('status.finding.disk', { free: formatBytes(disk.free_bytes) })
    : t('status.finding.disk_unreadable')
  return [{ name: 'disk', tone: state === 'failed' ? 'wrong' : 'late', words, section: 'the-disk-is-nearly-full' }]
}

function ofProcesses({ nodes }: Status): Finding[] {
  const findings: Finding[] = []
  if (!nodes.some(({ role }) => role !== 'api')) {
    const words = t('status.finding.no_workers')
    findings.push({ name: 'no_workers', tone: 'wrong', words, section: 'jobs-do-not-run' })
  }
  const versions = [...new Set(nodes.map(({ version }) => version))].toSorted()
  if (versions.length > 1) {
    const words = t('status.finding.versions', { versions: formatList(versions) })
    findings.push({ name: 'versions', tone: 'late', words, section: 'nodes-run-different-versions' })
  }
  return findings
}

function ofQueues({ queues, open_circuits }: Status): Finding[] {
  const late = queues.filter(isLate).map(({ name, oldest_seconds }): Finding => {
    const words = t('status.finding.queue', { queue: t(`status.queue.${name}`), span: formatSpan(oldest_seconds) })
    return { name, tone: 'late', words, section: 'work-waits' }
  })
  if (open_circuits === 0) return late
  const words = t('status.finding.circuits', { count: open_circuits })
  return [...late, { name: 'circuits', tone: 'late', words, section: 'deliveries-fail' }]
}

export function isLate({ oldest_seconds }: { oldest_seconds: number }): boolean {
  return oldest_seconds > longWaitSeconds
}

function ofJobs({ jobs }: Status): Finding[] {
  return (['failed', 'overdue'] as const).flatMap((state) => {
    const names = jobs.filter((job) => job.state === state).map(({ name }) => name)
    if (names.length === 0) return []
    const words = t(`status.finding.job_${state}`, { count: names.length, names: formatList(names) })
    return [{ name: `job_${state}`, tone: 'late' as const, words, section: 'jobs-do-not-run' }]
  })
}

/** Scheduled backups only: this installation may be backed up by other means. */
function ofBackups(
  { backups: { every_hours, last_at, failed_at, failure }, started_at }: Status,
  now: number,
): Finding[] {
  const about = (name: 'failed' | 'none' | 'old', tone: Finding['tone']): Finding[] => {
    const words = t(`status.finding.backup_${name}`, { failure: failure ?? '' })
    return [{ name: `backup_${name}`, tone, words, section: 'the-last-backup-is-old' }]
  }
  if (every_hours === null) return []
  if (failed_at !== null) return about('failed', 'wrong')
  // The first one begins with the service, and takes its time.
  if (last_at === null) return now - Date.parse(started_at) > hourMs ? about('none', 'late') : []
  return now - Date.parse(last_at) > 2 * every_hours * hourMs ? about('old', 'late') : []
}
