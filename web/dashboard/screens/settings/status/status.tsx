import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../app/api.ts'
import { useMay } from '../../../app/session.ts'
import { formatBytes, formatClock, formatDuration, formatNumber } from '../../../kit/format.ts'
import { Page } from '../../../kit/page.tsx'
import { Banner, Problem } from '../../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../../kit/states.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { rich, t } from '../../../texts/texts.ts'
import { findingsOf } from './findings.ts'
import type { Status } from './reply.ts'
import { Jobs, Processes, Queues, Statements, Tables } from './tables.tsx'

/** Not while the tab is in the background. */
const refreshMs = 15_000

/** The state of the installation, for its operators. */
export function SystemStatus() {
  const mayRead = useMay('superadmin')
  const query = useQuery({ ...read('/v1/status'), refetchInterval: refreshMs, enabled: mayRead })
  const { data: status, error, dataUpdatedAt } = query
  if (!mayRead) {
    return (
      <Page title={t('status.title')}>
        <Empty title={t('status.no_rights')}>{t('status.no_rights_text')}</Empty>
      </Page>
    )
  }
  return (
    <Page title={t('status.title')} lead={t('status.lead')}>
      {error && <Problem error={error} retry={() => void query.refetch()} />}
      {error && status && <p className="soft">{t('status.stale', { time: formatClock(new Date(dataUpdatedAt)) })}</p>}
      {status ? <Content status={status} now={dataUpdatedAt} /> : !error && <Skeleton />}
    </Page>
  )
}

function Content({ status, now }: { status: Status; now: number }) {
  return (
    <>
      <Verdict status={status} now={now} />
      <Tiles status={status} />
      <div className="status-pair">
        <Queues status={status} />
        <Tables status={status} />
      </div>
      <Processes status={status} />
      <Jobs status={status} />
      <Statements status={status} />
    </>
  )
}

/** Whether all is well, in a sentence; if not, what is wrong and where the guide says what to do. */
function Verdict({ status, now }: { status: Status; now: number }) {
  const findings = findingsOf(status, now)
  const [worst] = findings
  if (worst === undefined) {
    return (
      <Banner tone="good" title={t('status.good')}>
        {t('status.good_text')}
      </Banner>
    )
  }
  return (
    <Banner tone={worst.tone} title={t('status.bad', { count: findings.length })}>
      <ul className="status-findings">
        {findings.map(({ name, words, section }) => (
          <li key={name}>
            {words}{' '}
            <a href={`/docs/guide/watch#${section}`} target="_blank" rel="noreferrer">
              {t('status.what_to_do')}
            </a>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

function Skeleton() {
  return (
    <>
      <SkeletonBox rows={1} />
      <SkeletonBox rows={2} />
      <SkeletonBox rows={6} />
    </>
  )
}

/** The installation in six figures. */
function Tiles({ status }: { status: Status }) {
  const { version, node_version, started_at, store, disk, images_in, clock_skew_ms, nodes } = status
  const hosts = new Set(nodes.map(({ host }) => host)).size
  return (
    <ul className="tiles status-tiles">
      <Tile label={t('status.version')} value={version}>
        <p>{t('status.node_version', { version: node_version.replace(/^v/, '') })}</p>
        <p>{rich('status.started', { when: <RelativeTime at={started_at} /> })}</p>
      </Tile>
      <Tile label={t('status.database')} value={formatBytes(store.bytes)}>
        <p>{t(`status.engine_${store.engine}`, { version: store.version })}</p>
        <p>{t('status.schema', { number: store.schema.slice(0, 4) })}</p>
      </Tile>
      <Tile label={t('status.disk')} value={disk ? formatBytes(disk.free_bytes) : '–'}>
        {disk && <p>{t('status.disk_of', { size: formatBytes(disk.size_bytes) })}</p>}
        <p>{t(`status.images_${images_in}`)}</p>
      </Tile>
      <Tile label={t('status.clock')} value={clock_skew_ms === null ? '–' : formatDuration(Math.abs(clock_skew_ms))}>
        <p>{t('status.clock_text')}</p>
      </Tile>
      <BackupTile backups={status.backups} />
      <Tile label={t('status.processes')} value={formatNumber(nodes.length)}>
        <p>{t('status.machines', { count: hosts })}</p>
      </Tile>
    </ul>
  )
}

function BackupTile({ backups: { every_hours, last_at, last_bytes } }: { backups: Status['backups'] }) {
  const isOff = every_hours === null && last_at === null
  const value = last_at === null ? t(isOff ? 'status.backup_off' : 'status.backup_none') : <RelativeTime at={last_at} />
  return (
    <Tile label={t('status.backup')} value={value}>
      {isOff && <p>{rich('status.backup_off_text', { setting: <code>BACKUP_TO</code> })}</p>}
      {last_bytes !== null && <p>{formatBytes(last_bytes)}</p>}
      {every_hours !== null && <p>{t('status.every_hours', { count: every_hours })}</p>}
    </Tile>
  )
}

function Tile({ label, value, children }: { label: string; value: ReactNode; children: ReactNode }) {
  return (
    <li className="tile card">
      <h2 className="tile-label">{label}</h2>
      <p className="tile-value number">{value}</p>
      <div className="soft small">{children}</div>
    </li>
  )
}
