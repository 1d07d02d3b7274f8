import { Link } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { Badge } from '../../kit/badge.tsx'
import { formatCountry, formatDate, formatNumber, formatTime } from '../../kit/format.ts'
import type { Column } from '../../kit/list/table.tsx'
import { t } from '../../texts/texts.ts'
import type { Measure } from './times.ts'

type Parcel = Schemas['DeliveredParcel']

export function columnsFor(slug: string, { unit, since }: Measure): Column<Parcel>[] {
  return [
    {
      name: 'parcel',
      label: t('performance.parcel'),
      cell: (row) => (
        <div className="stack tight">
          <Link to="/$slug/shipments/$shipmentId" params={{ slug, shipmentId: row.shipment_id }}>
            {row.order_number}
          </Link>
          {row.tracking_number && <span className="soft small">{row.tracking_number}</span>}
        </div>
      ),
    },
    {
      name: 'carrier',
      label: t('performance.carrier'),
      cell: (row) => (
        <div className="stack tight">
          <span>{row.carrier_name ?? t('performance.no_carrier')}</span>
          {row.service && <span className="soft small">{row.service}</span>}
        </div>
      ),
    },
    {
      name: 'country',
      label: t('performance.country'),
      cell: (row) => (row.country ? formatCountry(row.country) : t('performance.no_country')),
    },
    {
      name: 'start',
      label: t(`performance.since_${since}`),
      cell: (row) => {
        const start = since === 'placed' ? row.placed_at : row.fulfilled_at
        return start ? formatDate(start) : '–'
      },
    },
    { name: 'delivered', label: t('performance.delivered_at'), cell: (row) => formatTime(row.delivered_at) },
    {
      name: 'days',
      label: t(`performance.unit_${unit}`),
      isNumber: true,
      cell: (row) => {
        const taken = since === 'placed' ? row.since_placed : row.since_fulfilled
        return taken ? formatNumber(taken[unit]) : '–'
      },
    },
    { name: 'outcome', label: t('performance.outcome_filter'), cell: (row) => <Outcomes parcel={row} /> },
  ]
}

/** How it compares with what was aimed at, expected and predicted. */
function Outcomes({ parcel: { on_target, on_time, held, early } }: { parcel: Parcel }) {
  return (
    <div className="row parcel-outcomes">
      {on_target !== null && (
        <Badge tone={on_target ? 'good' : 'late'}>
          {t(on_target ? 'performance.is_on_target' : 'performance.is_over_target')}
        </Badge>
      )}
      {on_time !== null && (
        <Badge tone={on_time ? 'good' : 'wrong'}>{t(on_time ? 'performance.is_on_time' : 'performance.is_late')}</Badge>
      )}
      {held !== null && (
        <Badge tone={held ? 'good' : 'late'}>
          {t(held ? 'performance.is_held' : early ? 'performance.is_early' : 'performance.is_window_late')}
        </Badge>
      )}
      {on_target === null && on_time === null && held === null && <span className="soft">–</span>}
    </div>
  )
}

/** Its columns are named as in the API. */
export function csvOfParcel(parcel: Parcel): Record<string, string | number | null> {
  return {
    order_number: parcel.order_number,
    tracking_number: parcel.tracking_number,
    carrier: parcel.carrier_name ?? parcel.carrier_reference,
    country: parcel.country,
    service: parcel.service,
    placed_at: parcel.placed_at,
    fulfilled_at: parcel.fulfilled_at,
    delivered_at: parcel.delivered_at,
    since_placed_business: parcel.since_placed?.business ?? null,
    since_placed_calendar: parcel.since_placed?.calendar ?? null,
    since_fulfilled_business: parcel.since_fulfilled?.business ?? null,
    since_fulfilled_calendar: parcel.since_fulfilled?.calendar ?? null,
    expected_by: parcel.expected_by,
    predicted_from: parcel.predicted_from,
    predicted_to: parcel.predicted_to,
    on_target: flagOf(parcel.on_target),
    on_time: flagOf(parcel.on_time),
    held: flagOf(parcel.held),
  }
}

function flagOf(flag: boolean | null): string | null {
  return flag === null ? null : String(flag)
}
