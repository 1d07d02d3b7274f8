import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import { countries } from '../../app/countries.ts'
import { SavedViews } from '../../app/saved-views.tsx'
import { useSlug } from '../../app/session.ts'
import { PhaseBadge } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatCountry, formatDate, formatDay } from '../../kit/format.ts'
import { Filter } from '../../kit/list/controls.tsx'
import { List } from '../../kit/list/list.tsx'
import type { Column } from '../../kit/list/table.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { perPage } from '../orders/calls.ts'
import { Incomplete } from '../orders/incomplete.tsx'
import { customerOf, nameOf } from '../orders/orders.tsx'
import { periods } from '../orders/search.ts'
import { useListSearch } from '../orders/use-list.ts'
import { shipmentsCall } from './calls.ts'
import { daysOf } from './days.ts'
import { directions, phases, problemFlags, type ShipmentSearch } from './search.ts'

type ShipmentRow = Reply<'/v1/shops/{slug}/lists/shipments'>['shipments'][number]

export function Shipments() {
  const slug = useSlug()
  const search: ShipmentSearch = useSearch({ from: '/signed-in/$slug/shipments' })
  const onSearch = useListSearch('shipments', search)
  const query = useQuery({
    ...read(...shipmentsCall(slug, search)),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    select: ({ shipments, pagination }) => ({
      rows: shipments,
      total: pagination.total,
      isEstimate: pagination.total_is_estimate,
      hasNext: pagination.has_next,
      isComplete: pagination.is_complete,
    }),
  })
  const rows = query.data?.rows ?? []
  return (
    <Page title={t('shipments.title')}>
      {query.data?.isComplete === false && <Incomplete isSearch={search.q !== undefined} />}
      <List
        label={t('shipments.title')}
        query={query}
        columns={columnsOf(slug)}
        keyOf={({ shipment_id }) => shipment_id}
        nameOf={({ tracking_number, order_number }) => tracking_number ?? order_number}
        search={search}
        onSearch={onSearch}
        perPage={perPage}
        usualSort="-updated_at"
        searchLabel={t('orders.search')}
        filters={<ShipmentFilters search={search} onSearch={onSearch} />}
        tools={<SavedViews screen="shipments" search={search} />}
        bulk={(keys) => <BulkActions rows={rows.filter(({ shipment_id }) => keys.includes(shipment_id))} />}
        empty={<Empty title={t('shipments.empty')}>{t('shipments.empty_hint')}</Empty>}
        isMarked={({ flag }) => flag === 'error'}
      />
    </Page>
  )
}

interface FiltersProps {
  search: ShipmentSearch
  onSearch: (change: ShipmentSearch) => void
}

function ShipmentFilters({ search, onSearch }: FiltersProps) {
  const { data: carriers = [] } = useQuery({ ...read('/v1/carriers'), staleTime: Number.POSITIVE_INFINITY })
  const change = (given: ShipmentSearch) => onSearch({ page: undefined, ...given })
  const some = <Value,>(values: Value[]) => (values.length > 0 ? values : undefined)
  return (
    <>
      <Filter
        label={t('shipments.state')}
        choices={phases.map((value) => ({ value, label: t(`phase.${value}`) }))}
        chosen={search.phase ?? []}
        onChange={(phase) => change({ phase: some(phase) })}
      />
      <Filter
        label={t('shipments.problem')}
        choices={problemFlags.map((value) => ({ value, label: t(`flag.${value}`) }))}
        chosen={search.flag ?? []}
        onChange={(flag) => change({ flag: some(flag) })}
      />
      <Filter
        label={t('shipments.carrier')}
        choices={carriers
          .map(({ carrier_reference, name }) => ({ value: carrier_reference, label: name }))
          .toSorted((left, right) => left.label.localeCompare(right.label))}
        chosen={search.carrier ? [search.carrier] : []}
        onChange={([carrier]) => change({ carrier })}
        isSingle
      />
      <Filter
        label={t('shipments.country')}
        choices={countries.map((value) => ({ value, label: formatCountry(value) }))}
        chosen={search.country ? [search.country] : []}
        onChange={([country]) => change({ country })}
        isSingle
      />
      <Filter
        label={t('shipments.direction')}
        choices={directions.map((value) => ({ value, label: t(`shipments.is_${value}`) }))}
        chosen={search.direction ? [search.direction] : []}
        onChange={([direction]) => change({ direction })}
        isSingle
      />
      <Filter
        label={t('shipments.updated')}
        choices={[
          ...periods.map((value) => ({ value, label: t('orders.last_days', { count: Number(value) }) })),
          ...(search.on ? [{ value: search.on, label: formatDate(`${search.on}T12:00:00`) }] : []),
        ]}
        chosen={[search.on ?? search.since ?? []].flat()}
        onChange={([value]) => change({ since: periods.find((period) => period === value), on: undefined })}
        isSingle
      />
    </>
  )
}

function columnsOf(slug: string): Column<ShipmentRow>[] {
  return [
    {
      name: 'number',
      label: t('shipments.number'),
      cell: ({ shipment_id, tracking_number }) => (
        <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: shipment_id }}>
          {tracking_number ?? t('shipments.draft')}
        </Link>
      ),
    },
    {
      name: 'order',
      label: t('orders.order'),
      cell: (row) => (
        <Link to="/$slug/orders/$orderId" params={{ slug, orderId: row.order_id }}>
          {nameOf(row)}
        </Link>
      ),
    },
    { name: 'customer', label: t('orders.customer'), cell: customerOf },
    { name: 'carrier', label: t('shipments.carrier'), cell: ({ carrier_name }) => carrier_name ?? '–' },
    { name: 'state', label: t('shipments.state'), cell: ({ phase, flag }) => <PhaseBadge phase={phase} flag={flag} /> },
    {
      name: 'event',
      label: t('shipments.last_event'),
      isOptional: true,
      cell: ({ event_status }) => event_status,
    },
    { name: 'expected', label: t('shipments.expected'), cell: (row) => <Expected row={row} /> },
    {
      name: 'updated_at',
      label: t('shipments.updated'),
      isSortable: true,
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
    {
      name: 'created_at',
      label: t('shipments.created'),
      isSortable: true,
      isOptional: true,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      name: 'country',
      label: t('shipments.country'),
      isOptional: true,
      cell: ({ destination_country }) => (destination_country ? formatCountry(destination_country) : '–'),
    },
    { name: 'email', label: t('orders.email'), isOptional: true, cell: ({ email_id }) => email_id ?? '–' },
  ]
}

/** When it arrived, or when it is expected to. */
function Expected({ row: { expected_delivery: expected, delivered_at } }: { row: ShipmentRow }) {
  if (delivered_at !== null)
    return <span className="soft nowrap">{t('shipments.arrived', { day: formatDay(delivered_at) })}</span>
  if (expected === null) return <span className="soft">–</span>
  return (
    <span className="nowrap" title={formatDate(expected.to)}>
      {daysOf(expected)}
    </span>
  )
}

function BulkActions({ rows }: { rows: readonly ShipmentRow[] }) {
  const toasts = useToasts()
  const numbers = rows.flatMap(({ tracking_number }) => tracking_number ?? [])
  const copy = async () => {
    await navigator.clipboard.writeText(numbers.join('\n'))
    toasts.done(t('shipments.numbers_copied', { count: numbers.length }))
  }
  return (
    <>
      <Button icon="download" onClick={() => saveShipments(rows)}>
        {t('orders.save_csv')}
      </Button>
      <Button icon="copy" onClick={() => void copy()} disabled={numbers.length === 0}>
        {t('shipments.copy_numbers')}
      </Button>
    </>
  )
}

function saveShipments(shipments: readonly ShipmentRow[]): void {
  saveCsv(
    'parcels.csv',
    shipments.map((row) => ({
      tracking_number: row.tracking_number,
      carrier: row.carrier_name,
      order_number: row.order_number,
      customer: row.customer_name,
      email: row.email_id,
      country: row.destination_country,
      phase: row.phase,
      flag: row.flag,
      status: row.event_status,
      sent_at: row.sent_at,
      expected_from: row.expected_delivery?.from,
      expected_to: row.expected_delivery?.to,
      delivered_at: row.delivered_at,
      updated_at: row.updated_at,
    })),
  )
}
