import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read, readList, refreshMs } from '../../app/api.ts'
import { type Exception, exceptionKinds, KindBadge, whyOf } from '../../app/exception-words.tsx'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { useMay, useSession, useSlug } from '../../app/session.ts'
import { formatCountry, formatDay, formatNumber } from '../../kit/format.ts'
import { choicesIn, choicesOf, one } from '../../kit/list/filters.ts'
import type { Column } from '../../kit/list/table.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { BulkActions, RowActions } from './actions.tsx'
import { exceptionsCall, perPage } from './calls.ts'
import { type ExceptionSearch, states } from './search.ts'
import { Thresholds } from './thresholds.tsx'

export const Exceptions = listScreen<Exception, ExceptionSearch>({
  title: t('exceptions.title'),
  lead: t('exceptions.lead'),
  useActions: () => useMay('admin') && <Thresholds />,
  Above: Kinds,
  useRows: (slug, search) => useListQuery(readList(...exceptionsCall(slug, search))),
  perPage,
  keyOf: ({ shipment_id }) => shipment_id,
  nameOf: ({ order_number }) => t('exceptions.parcel_of', { number: order_number }),
  useColumns: ({ slug }) => columnsFor(slug, useMay('editor')),
  useFilters: ({ search, rows }) => {
    const people = usePeople()
    const carriers = new Map(rows.map((row) => [row.carrier_reference, row.carrier_name]))
    const found = [
      one(search, 'assigned_to', t('exceptions.assigned_to'), choicesIn([...people, search.assigned_to], String)),
      one(
        search,
        'carrier',
        t('exceptions.carrier'),
        choicesIn([...carriers.keys(), search.carrier], (name) => carriers.get(name) ?? name),
      ),
      one(
        search,
        'country',
        t('exceptions.country'),
        choicesIn([...rows.map((row) => row.destination_country), search.country], formatCountry),
      ),
    ]
    return [
      one(
        search,
        'state',
        t('exceptions.state'),
        choicesOf(states, (value) => t(`exceptions.states.${value}`)),
      ),
      ...found.filter(({ choices }) => choices.length > 0),
    ]
  },
  views: 'exceptions',
  bulk: { needs: 'editor', Actions: BulkActions },
  empty: { title: t('exceptions.empty'), text: t('exceptions.empty_text') },
})

/** Those a parcel can be assigned to, the reader first. */
function usePeople(): string[] {
  const slug = useSlug()
  const { name } = useSession()
  const { data } = useQuery(
    readList('/v1/shops/{slug}/colleagues', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  return [name, ...(data?.rows ?? []).map((colleague) => colleague.name)]
}

function columnsFor(slug: string, mayAct: boolean): Column<Exception>[] {
  return [
    {
      name: 'parcel',
      label: t('exceptions.parcel'),
      cell: (row) => (
        <div className="stack tight exception-parcel">
          <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: row.shipment_id }}>
            {row.order_number}
          </Link>
          <span>{row.customer_name ?? t('exceptions.no_customer')}</span>
          <span className="soft small">{placeOf(row)}</span>
        </div>
      ),
    },
    {
      name: 'why',
      label: t('exceptions.why_column'),
      cell: (row) => (
        <div className="stack tight exception-why">
          <div className="row tight">
            <KindBadge kind={row.kind} />
            <Decision row={row} />
          </div>
          <p>{whyOf(row)}</p>
        </div>
      ),
    },
    {
      name: 'since',
      label: t('exceptions.since'),
      isSortable: true,
      cell: ({ since }) => <RelativeTime at={since} />,
    },
    {
      name: 'assigned_to',
      label: t('exceptions.assigned_to'),
      cell: ({ assigned_to }) => assigned_to ?? <span className="soft">{t('exceptions.nobody')}</span>,
    },
    ...(mayAct
      ? [{ name: 'actions', label: t('exceptions.actions'), cell: (row: Exception) => <RowActions row={row} /> }]
      : []),
  ]
}

function placeOf({ carrier_name, destination_country }: Exception): string {
  const parts = [carrier_name, destination_country && formatCountry(destination_country)]
  return parts.filter(Boolean).join(' → ')
}

/** The decision about the parcel, if somebody made one. */
function Decision({ row: { state, snoozed_until, resolved_by } }: { row: Exception }) {
  if (state === 'snoozed' && snoozed_until) {
    return <span className="soft small">{t('exceptions.snoozed_until', { day: formatDay(snoozed_until) })}</span>
  }
  if (state === 'resolved' && resolved_by) {
    return <span className="soft small">{t('exceptions.resolved_by', { name: resolved_by })}</span>
  }
  return null
}

/** The kinds that there are, with how many are open: the quickest way to a part of the list. */
function Kinds({ search }: { search: ExceptionSearch }) {
  const slug = useSlug()
  const { data } = useQuery({
    ...read('/v1/shops/{slug}/attention', { params: { path: { slug } } }),
    refetchInterval: refreshMs,
  })
  const counts = new Map(data?.exceptions.map(({ kind, count }) => [kind, count]))
  // Of those put aside nobody counts the kinds.
  const isOpen = search.state === undefined
  const shown = exceptionKinds.filter((kind) => !isOpen || counts.has(kind) || kind === search.kind)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const names = [undefined, ...shown]
  return (
    <nav className="kinds row" aria-label={t('exceptions.kinds')}>
      {names.map((kind) => (
        <Link
          key={kind ?? 'all'}
          to="/$slug/exceptions"
          params={{ slug }}
          search={{ ...search, kind, page: undefined }}
          className="kind-link"
          activeOptions={{ exact: true }}
          aria-current={search.kind === kind ? 'page' : undefined}
        >
          {kind ? t(`exceptions.kind.${kind}`) : t('exceptions.all')}
          {data && isOpen && (
            <span className="kind-count number">{formatCount(kind ? (counts.get(kind) ?? 0) : total)}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}

/** Counting ends at 1,000. */
function formatCount(count: number): string {
  return count >= 1_000 ? `${formatNumber(1_000)}+` : formatNumber(count)
}
