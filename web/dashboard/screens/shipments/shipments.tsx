import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Reply, read } from '../../app/api.ts'
import { countries } from '../../app/countries.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { PhaseBadge } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatCountry, formatDate, formatDay } from '../../kit/format.ts'
import { choicesIn, choicesOf, one, several } from '../../kit/list/filters.ts'
import type { Column } from '../../kit/list/table.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { perPage } from '../orders/calls.ts'
import { Incomplete } from '../orders/incomplete.tsx'
import { pageOf, sinceOrOn } from '../orders/listed.ts'
import { customerOf, nameOf } from '../orders/orders.tsx'
import { shipmentsCall } from './calls.ts'
import { daysOf } from './days.ts'
import { directions, phases, problemFlags, type ShipmentSearch } from './search.ts'

type ShipmentRow = Reply<'/v1/shops/{slug}/lists/shipments'>['shipments'][number]

export const Shipments = listScreen<ShipmentRow, ShipmentSearch>({
  title: t('shipments.title'),
  useRows: (slug, search) =>
    useListQuery({
      ...read(...shipmentsCall(slug, search)),
      select: ({ shipments, pagination }) => ({ rows: shipments, ...pageOf(pagination) }),
    }),
  perPage,
  keyOf: ({ shipment_id }) => shipment_id,
  nameOf: ({ tracking_number, order_number }) => tracking_number ?? order_number,
  useColumns: ({ slug }) => columnsOf(slug),
  useFilters: ({ search }) => {
    const carriers = useCarriers()
    return [
      several(
        search,
        'phase',
        t('shipments.state'),
        choicesOf(phases, (value) => t(`phase.${value}`)),
      ),
      several(
        search,
        'flag',
        t('shipments.problem'),
        choicesOf(problemFlags, (value) => t(`flag.${value}`)),
      ),
      one(
        search,
        'carrier',
        t('shipments.carrier'),
        choicesIn([...carriers.keys()], (value) => carriers.get(value) ?? value),
      ),
      one(search, 'country', t('shipments.country'), choicesOf(countries, formatCountry)),
      one(
        search,
        'direction',
        t('shipments.direction'),
        choicesOf(directions, (value) => t(`shipments.is_${value}`)),
      ),
      sinceOrOn(t('shipments.updated'), search),
    ]
  },
  usualSort: '-updated_at',
  searchLabel: t('orders.search'),
  views: 'shipments',
  remembered: 'shipments',
  bulk: { needs: 'viewer', Actions: BulkActions },
  empty: { title: t('shipments.empty'), text: t('shipments.empty_hint') },
  isMarked: ({ flag }) => flag === 'error',
  Above: Incomplete,
})

/** The names of all carriers, by what filters call them. */
function useCarriers(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery({ ...read('/v1/carriers'), staleTime: Number.POSITIVE_INFINITY })
  return new Map(data.map(({ carrier_reference, name }) => [carrier_reference, name]))
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

/** The day on which it arrived, or is expected to. */
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
