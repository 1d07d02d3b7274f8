import { Link } from '@tanstack/react-router'
import { type Reply, read } from '../../app/api.ts'
import { useListQuery } from '../../app/list-query.ts'
import { listScreen } from '../../app/list-screen.tsx'
import { PhaseBadge } from '../../app/words.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatCountry, formatMoney } from '../../kit/format.ts'
import { choicesOf, one, several } from '../../kit/list/filters.ts'
import type { Column } from '../../kit/list/table.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { t } from '../../texts/texts.ts'
import { ordersCall, perPage } from './calls.ts'
import { Incomplete } from './incomplete.tsx'
import { pageOf, sinceOrOn } from './listed.ts'
import { type OrderSearch, orderStatuses, sendings } from './search.ts'

type OrderRow = Reply<'/v1/shops/{slug}/lists/orders'>['orders'][number]

export const Orders = listScreen<OrderRow, OrderSearch>({
  title: t('orders.title'),
  useRows: (slug, search) =>
    useListQuery({
      ...read(...ordersCall(slug, search)),
      select: ({ orders, pagination }) => ({ rows: orders, ...pageOf(pagination) }),
    }),
  perPage,
  keyOf: ({ order_id }) => order_id,
  nameOf,
  useColumns: ({ slug }) => columnsOf(slug),
  useFilters: ({ search }) => [
    several(
      search,
      'status',
      t('orders.status'),
      choicesOf(orderStatuses, (value) => t(`orders.is_${value}`)),
    ),
    one(
      search,
      'sending',
      t('orders.sending'),
      choicesOf(sendings, (value) => t(`orders.sends_${value}`)),
    ),
    sinceOrOn(t('orders.placed'), search),
  ],
  usualSort: '-placed_at',
  searchLabel: t('orders.search'),
  views: 'orders',
  remembered: 'orders',
  bulk: {
    needs: 'viewer',
    Actions: ({ rows }) => (
      <Button icon="download" onClick={() => saveOrders(rows)}>
        {t('orders.save_csv')}
      </Button>
    ),
  },
  empty: { title: t('orders.empty'), text: t('orders.empty_hint') },
  isMarked: ({ parcels }) => parcels.some(({ flag }) => flag === 'error'),
  Above: Incomplete,
})

function columnsOf(slug: string): Column<OrderRow>[] {
  return [
    {
      name: 'number',
      label: t('orders.order'),
      cell: (order) => (
        <Link to="/$slug/orders/$orderId" params={{ slug, orderId: order.order_id }}>
          {nameOf(order)}
        </Link>
      ),
    },
    { name: 'customer', label: t('orders.customer'), cell: customerOf },
    {
      name: 'placed_at',
      label: t('orders.placed'),
      isSortable: true,
      cell: (order) => <RelativeTime at={order.placed_at} />,
    },
    { name: 'status', label: t('orders.status'), cell: (order) => <OrderStatus order={order} /> },
    { name: 'parcels', label: t('orders.parcels'), cell: (order) => <ParcelStates order={order} /> },
    {
      name: 'total',
      label: t('orders.total'),
      isNumber: true,
      cell: ({ total_order_price, currency }) =>
        total_order_price === null ? '–' : formatMoney(total_order_price, currency),
    },
    { name: 'email', label: t('orders.email'), isOptional: true, cell: ({ email_id }) => email_id ?? '–' },
    {
      name: 'country',
      label: t('orders.country'),
      isOptional: true,
      cell: ({ country_code }) => (country_code ? formatCountry(country_code) : '–'),
    },
    {
      name: 'claims',
      label: t('orders.claims'),
      isOptional: true,
      isNumber: true,
      cell: ({ claims }) => claims || '–',
    },
  ]
}

export function nameOf({ order_name, order_number }: { order_name: string | null; order_number: string }): string {
  return order_name ?? order_number
}

/** The customer, or that their data were erased. */
export function customerOf(row: { customer_name: string | null; email_id: string | null; is_erased: boolean }): string {
  if (row.is_erased) return t('orders.erased')
  return row.customer_name ?? row.email_id ?? '–'
}

export function OrderStatus({
  order,
}: {
  order: Pick<OrderRow, 'status' | 'nothing_to_send' | 'handed_over_without_tracking'>
}) {
  if (order.nothing_to_send) return <Badge>{t('orders.sends_nothing')}</Badge>
  if (order.handed_over_without_tracking && order.status === 'placed')
    return <Badge tone="info">{t('orders.sends_without_tracking')}</Badge>
  const tone = order.status === 'fulfilled' ? 'good' : order.status === 'partially_fulfilled' ? 'late' : 'neutral'
  return <Badge tone={tone}>{t(`orders.is_${order.status}`)}</Badge>
}

function ParcelStates({ order: { parcels, parcel_count } }: { order: OrderRow }) {
  const sent = parcels.filter(({ tracking_number }) => tracking_number !== null)
  const [first] = sent.toSorted((left, right) => rankOf(right) - rankOf(left))
  if (first === undefined) return <span className="soft">–</span>
  return (
    <span className="row tight-row">
      <PhaseBadge phase={first.phase} flag={first.flag} />
      {parcel_count > 1 && <span className="soft small">{t('orders.of_parcels', { count: parcel_count })}</span>}
    </span>
  )
}

/** The parcel that a merchant should know of: one with a problem, else one that is not there yet. */
function rankOf({ phase, flag }: OrderRow['parcels'][number]): number {
  return { error: 4, delay: 2, normal: 0 }[flag] + (phase === 'delivered' ? 0 : 1)
}

function saveOrders(orders: readonly OrderRow[]): void {
  saveCsv(
    'orders.csv',
    orders.map((order) => ({
      order_number: order.order_number,
      order_name: order.order_name,
      placed_at: order.placed_at,
      customer: order.customer_name,
      email: order.email_id,
      zip_code: order.zip_code,
      country: order.country_code,
      status: order.status,
      total: order.total_order_price,
      currency: order.currency,
      tracking_numbers: order.parcels.flatMap(({ tracking_number }) => tracking_number ?? []).join(' '),
    })),
  )
}
