import { type ReactNode, useState } from 'react'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { formatBytes, formatDuration, formatNumber, formatSpan } from '../../../kit/format.ts'
import { type Column, Table } from '../../../kit/list/table.tsx'
import { RelativeTime } from '../../../kit/time.tsx'
import { t } from '../../../texts/texts.ts'
import { isLate } from './findings.ts'
import type { Status } from './reply.ts'

interface Props {
  status: Status
}

type Queue = Status['queues'][number]
type StoreTable = Status['store']['tables'][number]
type Process = Status['nodes'][number]
type Job = Status['jobs'][number]
type Statement = Status['slow_statements']['statements'][number]

/** The work that waits, and for how long; the oldest first. */
export function Queues({ status: { queues } }: Props) {
  const columns: Column<Queue>[] = [
    { name: 'queue', label: t('status.queue_name'), cell: ({ name }) => t(`status.queue.${name}`) },
    { name: 'waits', label: t('status.waits'), isNumber: true, cell: (queue) => <Wait queue={queue} /> },
  ]
  const rows = queues.toSorted((one, other) => other.oldest_seconds - one.oldest_seconds)
  return (
    <Part title={t('status.queues')} text={t('status.queues_text')} isDense>
      <Rows label={t('status.queues')} columns={columns} rows={rows} keyOf={({ name }) => name} most={rows.length} />
    </Part>
  )
}

function Wait({ queue }: { queue: Queue }) {
  if (queue.oldest_due_at === null) return <span className="soft">{t('status.nothing_due')}</span>
  const span = formatSpan(queue.oldest_seconds)
  return isLate(queue) ? <Badge tone="late">{span}</Badge> : span
}

/** The largest tables. */
export function Tables({ status: { store } }: Props) {
  const columns: Column<StoreTable>[] = [
    { name: 'table', label: t('status.table_name'), cell: ({ name }) => <code>{name}</code> },
    { name: 'size', label: t('status.size'), isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
    {
      name: 'rows',
      label: t('status.rows'),
      isNumber: true,
      cell: ({ rows_estimate: count }) =>
        count === null ? <span className="soft">–</span> : t('status.about', { count }),
    },
  ]
  return (
    <Part title={t('status.tables')} text={t('status.tables_text')} isDense>
      <Rows label={t('status.tables')} columns={columns} rows={store.tables} keyOf={({ name }) => name} most={10} />
    </Part>
  )
}

/** The processes that are alive. */
export function Processes({ status: { nodes } }: Props) {
  const columns: Column<Process>[] = [
    { name: 'host', label: t('status.machine'), cell: ({ host }) => <span className="strong">{host}</span> },
    { name: 'pid', label: t('status.pid'), isNumber: true, cell: ({ pid }) => pid },
    { name: 'role', label: t('status.does'), cell: ({ role }) => t(`status.role_${role}`) },
    { name: 'version', label: t('status.version'), cell: ({ version }) => version },
    { name: 'started', label: t('status.running_since'), cell: ({ started_at }) => <RelativeTime at={started_at} /> },
    { name: 'seen', label: t('status.seen'), cell: ({ seen_at }) => <RelativeTime at={seen_at} /> },
  ]
  return (
    <Part title={t('status.processes')}>
      {nodes.length === 0 ? (
        <p className="soft">{t('status.no_processes')}</p>
      ) : (
        <Rows
          label={t('status.processes')}
          columns={columns}
          rows={nodes}
          keyOf={({ host, pid, started_at }) => `${host} ${pid} ${started_at}`}
          most={10}
        />
      )}
    </Part>
  )
}

const states = ['failed', 'overdue', 'ok'] as const
const tones = { failed: 'wrong', overdue: 'late', ok: 'good' } as const

/** Scheduled jobs; those that do not run first. */
export function Jobs({ status: { jobs } }: Props) {
  const columns: Column<Job>[] = [
    { name: 'name', label: t('status.job'), cell: ({ name }) => <code>{name}</code> },
    {
      name: 'state',
      label: t('status.state'),
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`status.job_${state}`)}</Badge>,
    },
    {
      name: 'every',
      label: t('status.interval'),
      cell: ({ every_seconds }) => every_seconds !== null && formatSpan(every_seconds),
    },
    { name: 'started', label: t('status.last_run'), cell: ({ started_at }) => <RelativeTime at={started_at} /> },
    {
      name: 'failed',
      label: t('status.last_failure'),
      cell: ({ failed_at }) =>
        failed_at === null ? <span className="soft">{t('status.never')}</span> : <RelativeTime at={failed_at} />,
    },
  ]
  const rows = jobs.toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state))
  return (
    <Part title={t('status.jobs')} text={t('status.jobs_text')}>
      {rows.length === 0 ? (
        <p className="soft">{t('status.no_jobs')}</p>
      ) : (
        <Rows label={t('status.jobs')} columns={columns} rows={rows} keyOf={({ name }) => name} most={6} />
      )}
    </Part>
  )
}

/** The statements that took most time. */
export function Statements({ status: { slow_statements } }: Props) {
  const { source, statements } = slow_statements
  const columns: Column<Statement>[] = [
    { name: 'text', label: t('status.statement'), cell: ({ text }) => <StatementText text={text} /> },
    { name: 'count', label: t('status.count'), isNumber: true, cell: ({ count }) => formatNumber(count) },
    {
      name: 'mean',
      label: t('status.mean'),
      isNumber: true,
      cell: ({ total_ms, count }) => <Milliseconds value={total_ms / Math.max(1, count)} />,
    },
    { name: 'max', label: t('status.longest'), isNumber: true, cell: ({ max_ms }) => <Milliseconds value={max_ms} /> },
    {
      name: 'total',
      label: t('status.total'),
      isNumber: true,
      cell: ({ total_ms }) => <Milliseconds value={total_ms} />,
    },
  ]
  return (
    <Part title={t('status.statements')} text={t(`status.statements_${source}`)}>
      {statements.length === 0 ? (
        <p className="soft">{t('status.no_statements')}</p>
      ) : (
        <Rows label={t('status.statements')} columns={columns} rows={statements} keyOf={({ text }) => text} most={5} />
      )}
    </Part>
  )
}

function Milliseconds({ value }: { value: number }) {
  return <span className="nowrap">{formatDuration(value)}</span>
}

const shortText = 80

/** One line of it; all of it on demand. */
function StatementText({ text }: { text: string }) {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= shortText) return <code className="status-statement">{line}</code>
  return (
    <details className="status-statement">
      <summary>
        <code>{line.slice(0, shortText)}…</code>
      </summary>
      <pre>{text.trim()}</pre>
    </details>
  )
}

interface PartProps {
  title: string
  text?: string
  /** On a phone its rows stay lines. */
  isDense?: boolean
  children: ReactNode
}

function Part({ title, text, isDense = false, children }: PartProps) {
  return (
    <section className={isDense ? 'list status-dense' : 'list'} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {text && <p className="soft small">{text}</p>}
      </div>
      {children}
    </section>
  )
}

interface RowsProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** How many are shown at first. */
  most: number
}

function Rows<Row>({ label, columns, rows, keyOf, most }: RowsProps<Row>) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? rows : rows.slice(0, most)
  return (
    <>
      <Table label={label} columns={columns} rows={shown} keyOf={keyOf} nameOf={keyOf} />
      {rows.length > most && (
        <div>
          <Button isSmall aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('status.fewer') : t('status.show_all', { count: rows.length })}
            <span className="unseen"> {label}</span>
          </Button>
        </div>
      )}
    </>
  )
}
