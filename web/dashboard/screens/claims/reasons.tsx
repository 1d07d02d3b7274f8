import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Schemas } from 'doorstep-client'
import { read } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatDate, formatNumber, formatShare } from '../../kit/format.ts'
import { type Column, Table } from '../../kit/list/table.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { wordOf } from '../orders/words.ts'
import { reasonsCall } from './calls.ts'
import { periods, type Reason, reasons, usualPeriod } from './search.ts'
import { ClaimTabs } from './tabs.tsx'

type Figures = Schemas['ClaimFigures']
type Carrier = Figures['carriers'][number]
type Product = Figures['products'][number]
type Counts = Figures['total']

/** A rate of fewer parcels says nothing. */
const minSample = 10

/** The reasons for claims: which carrier breaks things, which product disappoints. */
export function Reasons() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/claims/reasons' })
  const { days = usualPeriod } = search
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...read(...reasonsCall(slug, search)),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={t('claims.title')} lead={t('claims.reasons_lead')} actions={<ClaimTabs isReasons />}>
      <div className="row apart">
        <p className="soft">{data && summaryOf(data)}</p>
        <Periods chosen={days} />
      </div>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <div className={`stack loose ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
          <Tables figures={data} />
        </div>
      ) : (
        !error && <SkeletonBox rows={8} />
      )}
    </Page>
  )
}

function Tables({ figures }: { figures: Figures }) {
  if (figures.total.claims === 0) return <Empty title={t('claims.no_figures')}>{t('claims.no_figures_text')}</Empty>
  const carrierName = ({ carrier_name, carrier_reference }: Carrier) =>
    carrier_name ?? carrier_reference ?? t('claims.unknown_carrier')
  const productName = ({ title, sku }: Product) => title ?? sku ?? t('claims.no_product')
  return (
    <>
      <FigureTable
        title={t('claims.by_carrier')}
        file={`claims-by-carrier-${figures.from}-${figures.to}.csv`}
        rows={figures.carriers}
        nameOf={carrierName}
        first={{ name: 'carrier', label: t('shipments.carrier'), cell: carrierName }}
        further={[
          {
            name: 'share',
            label: t('claims.share'),
            isNumber: true,
            cell: (row) => <Share row={row} />,
          },
        ]}
        more={({ delivered, share }) => ({ delivered, share })}
      />
      <FigureTable
        title={t('claims.by_product')}
        file={`claims-by-product-${figures.from}-${figures.to}.csv`}
        rows={figures.products}
        nameOf={productName}
        first={{
          name: 'product',
          label: t('claims.product'),
          cell: (row) => (
            <span>
              {productName(row)}
              {row.title && row.sku && <span className="soft small"> · {row.sku}</span>}
            </span>
          ),
        }}
        further={[]}
        more={({ sku }) => ({ sku })}
      />
    </>
  )
}

interface FigureTableProps<Row extends Counts> {
  title: string
  file: string
  rows: readonly Row[]
  nameOf: (row: Row) => string
  first: Column<Row>
  further: readonly Column<Row>[]
  /** Further columns of the file. */
  more: (row: Row) => Record<string, string | number | null>
}

function FigureTable<Row extends Counts>({ title, file, rows, nameOf, first, further, more }: FigureTableProps<Row>) {
  const most = Math.max(...rows.map(({ claims }) => claims))
  const columns: Column<Row>[] = [
    first,
    {
      name: 'claims',
      label: t('claims.count'),
      cell: ({ claims }) => <CountBar count={claims} most={most} />,
    },
    ...further,
    { name: 'reasons', label: t('claims.reasons'), cell: (row) => <ReasonParts counts={row.by_reason} /> },
    { name: 'decided', label: t('claims.decided'), cell: (row) => <Decided row={row} /> },
    {
      name: 'hours',
      label: t('claims.hours'),
      isNumber: true,
      cell: ({ median_hours_to_decision: hours }) => (hours === null ? '–' : t('claims.in_hours', { hours })),
    },
  ]
  return (
    <section className="stack" aria-label={title}>
      <header className="row apart">
        <h2>{title}</h2>
        <Button
          isSmall
          icon="download"
          onClick={() =>
            saveCsv(
              file,
              rows.map((row) => lineOf(nameOf(row), row, more(row))),
            )
          }
        >
          {t('claims.csv')}
        </Button>
      </header>
      <Table
        label={title}
        columns={columns}
        rows={rows}
        keyOf={(row) => nameOf(row) + JSON.stringify(more(row))}
        nameOf={nameOf}
      />
    </section>
  )
}

function lineOf(name: string, row: Counts, more: Record<string, string | number | null>) {
  const byReason = Object.fromEntries(reasons.map((reason) => [wordOf('claim_reason', reason), row.by_reason[reason]]))
  return {
    [t('claims.name')]: name,
    ...more,
    [t('claims.count')]: row.claims,
    ...byReason,
    [t('claims.outcome.accepted')]: row.accepted,
    [t('claims.outcome.rejected')]: row.rejected,
    [t('claims.outcome.closed')]: row.closed,
    [t('claims.outcome.open')]: row.open,
    [t('claims.hours')]: row.median_hours_to_decision,
  }
}

function Share({ row: { share, delivered } }: { row: Carrier }) {
  if (share === null || delivered < minSample) return <span className="soft">{t('claims.too_few')}</span>
  return (
    <span title={t('claims.of_delivered', { count: delivered })}>
      {formatShare(share)}{' '}
      <span className="soft small">{t('claims.of_number', { number: formatNumber(delivered) })}</span>
    </span>
  )
}

function Decided({ row }: { row: Counts }) {
  const parts = (['accepted', 'rejected', 'closed', 'open'] as const).filter((outcome) => row[outcome] > 0)
  return (
    <span className="claim-outcomes">
      {parts.map((outcome) => (
        <span key={outcome} className="nowrap">
          {formatNumber(row[outcome])} <span className="soft">{t(`claims.outcome.${outcome}`)}</span>
        </span>
      ))}
    </span>
  )
}

function summaryOf({ from, to, total, is_truncated }: Figures): string {
  const day = (date: string) => formatDate(`${date}T12:00:00`)
  const words = t('claims.in_period', { count: total.claims, from: day(from), to: day(to) })
  return is_truncated ? `${words} ${t('claims.truncated')}` : words
}

function Periods({ chosen }: { chosen: string }) {
  const slug = useSlug()
  return (
    <nav className="segments" aria-label={t('home.period')}>
      {periods.map((days) => (
        <Link
          key={days}
          to="/$slug/claims/reasons"
          params={{ slug }}
          search={{ days: days === usualPeriod ? undefined : days }}
          aria-current={days === chosen ? 'true' : undefined}
          resetScroll={false}
          replace
        >
          {t('home.days', { count: Number(days) })}
        </Link>
      ))}
    </nav>
  )
}

/** A count with a bar beside it, as long as its share of the largest. */
function CountBar({ count, most }: { count: number; most: number }) {
  return (
    <span className="count-bar">
      <span className="number">{formatNumber(count)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect className="count-bar-whole" width="100" height="8" />
        <rect className="count-bar-part" width={most === 0 ? 0 : (100 * count) / most} height="8" />
      </svg>
    </span>
  )
}

/** The reasons as text, the most frequent first. */
function ReasonParts({ counts }: { counts: Readonly<Record<Reason, number>> }) {
  const given = reasons.filter((reason) => counts[reason] > 0).toSorted((left, right) => counts[right] - counts[left])
  return (
    <span className="claim-outcomes">
      {given.map((reason) => (
        <span key={reason} className="nowrap">
          {formatNumber(counts[reason])} <span className="soft">{wordOf('claim_reason', reason)}</span>
        </span>
      ))}
    </span>
  )
}
