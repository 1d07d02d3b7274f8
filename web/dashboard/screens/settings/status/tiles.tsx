import type { ReactNode } from 'react'
import { formatBytes, formatDuration, formatNumber } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/time.tsx'
import { rich, t } from '../../../texts/texts.ts'
import type { Status } from './reply.ts'

/** The installation in six figures. */
export function Tiles({ status }: { status: Status }) {
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
