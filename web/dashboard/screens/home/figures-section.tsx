import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { useCarrierName } from '../../app/words.tsx'
import { DayBars } from '../../kit/charts/day-bars.tsx'
import type { MarkTarget } from '../../kit/charts/marks.tsx'
import { ShareBar } from '../../kit/charts/share-bar.tsx'
import { formatDate, formatNumber, formatShare } from '../../kit/format.ts'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { figuresCall } from './calls.ts'
import { countStage, daysOf, type Figures, inDays, isSolid, minSample, type Summary, stages } from './figures.ts'
import { periods, usualPeriod } from './search.ts'
import { Tiles } from './tiles.tsx'

/** The figures of a period next to those of the period before. */
export function FiguresSection() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/' })
  const { days = usualPeriod } = search
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...read(...figuresCall(slug, search)),
    refetchInterval: 3 * refreshMs,
    placeholderData: keepPreviousData,
  })
  return (
    <section className="stack" aria-labelledby="figures">
      <header className="row apart">
        <div className="stack figures-head">
          <h2 id="figures">{t('home.figures')}</h2>
          {data && <Period summary={data} />}
        </div>
        <Periods chosen={days} />
      </header>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <div className={`stack ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
          <Tiles now={data} before={data.previous} />
          <Charts summary={data} />
        </div>
      ) : (
        !error && <Loading />
      )}
    </section>
  )
}

function Periods({ chosen }: { chosen: string }) {
  return (
    <nav className="segments" aria-label={t('home.period')}>
      {periods.map((days) => (
        <Link
          key={days}
          from="/$slug"
          search={{ days: days === usualPeriod ? undefined : days }}
          activeOptions={{ exact: true, explicitUndefined: true }}
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

function Period({ summary: { from, to, previous, as_of } }: { summary: Summary }) {
  const isOld = Date.now() - Date.parse(as_of) > 60_000
  return (
    <p className="soft small">
      {previous
        ? t('home.period_compared', {
            from: day(from),
            to: day(to),
            before_from: day(previous.from),
            before_to: day(previous.to),
          })
        : t('home.period_plain', { from: day(from), to: day(to) })}
      {isOld && <> {rich('home.as_of', { time: <RelativeTime at={as_of} /> })}</>}
    </p>
  )
}

function day(date: string): string {
  return formatDate(`${date}T12:00:00`)
}

function Charts({ summary }: { summary: Summary }) {
  const slug = useSlug()
  const { previous } = summary
  const { days = usualPeriod } = useSearch({ from: '/signed-in/$slug/' })
  const ordersOf = (date: string) => listOf('/$slug/orders', slug, { on: date })
  const arrivedOn = (date: string) => listOf('/$slug/shipments', slug, { phase: 'delivered', on: date })
  return (
    <div className="charts">
      <DayBars
        title={t('home.orders_per_day')}
        days={daysOf(summary, previous, 'orders')}
        words={(count) => t('home.count_orders', { count })}
        series={1}
        targetOf={ordersOf}
        empty={t('home.no_orders')}
      />
      <DayBars
        title={t('home.deliveries_per_day')}
        days={daysOf(summary, previous, 'deliveries')}
        words={(count) => t('home.count_deliveries', { count })}
        series={3}
        targetOf={arrivedOn}
        empty={t('home.no_deliveries')}
      />
      <ShareBar
        title={t('home.stages')}
        lead={t('home.stages_lead', { count: summary.shipments.created })}
        parts={stages.map(({ name, phases, series }) => ({
          name,
          label: t(`home.stage.${name}`),
          value: countStage(summary, phases),
          before: previous && countStage(previous, phases),
          series,
          target: listOf('/$slug/shipments', slug, { phase: [...phases], since: days }),
        }))}
        empty={t('home.no_parcels')}
      />
      <Carriers figures={summary} />
    </div>
  )
}

/** A list with these filters; each list reads what it knows from the address. */
function listOf(to: '/$slug/orders' | '/$slug/shipments', slug: string, search: Record<string, unknown>): MarkTarget {
  return { to, params: { slug } as never, search: search as never } // typed by the list's own search.ts
}

/** How well each carrier keeps its promise. A table, because its columns are what readers compare. */
function Carriers({ figures }: { figures: Figures }) {
  const slug = useSlug()
  const nameOf = useCarrierName()
  const most = Math.max(1, ...figures.carriers.map(({ delivered }) => delivered))
  return (
    <figure className="chart card" aria-labelledby="carriers">
      <div className="row apart chart-title">
        <h3 id="carriers">{t('home.carriers')}</h3>
      </div>
      {figures.carriers.length === 0 ? (
        <div className="chart-empty soft">{t('home.no_deliveries')}</div>
      ) : (
        <table className="plain-table carriers">
          <thead>
            <tr>
              <th scope="col">{t('home.carrier')}</th>
              <th scope="col" className="number">
                {t('home.delivered')}
              </th>
              <th scope="col" className="number">
                {t('home.median_short')}
              </th>
              <th scope="col" className="number">
                {t('home.on_time')}
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.carriers.slice(0, 6).map(({ carrier_reference, delivered, transit_days, on_time }) => (
              <tr key={carrier_reference}>
                <th scope="row">
                  {carrier_reference === null ? (
                    nameOf(null)
                  ) : (
                    <Link {...listOf('/$slug/shipments', slug, { carrier: carrier_reference, phase: 'delivered' })}>
                      {nameOf(carrier_reference)}
                    </Link>
                  )}
                  <Length share={delivered / most} />
                </th>
                <td className="number">{formatNumber(delivered)}</td>
                <td className="number">{transit_days.median === null ? '–' : inDays(transit_days.median)}</td>
                <td className="number">
                  {isSolid(on_time) ? formatShare(on_time.share) : '–'}
                  <span className="sample soft">
                    {on_time.sample < minSample
                      ? t('home.too_few', { count: on_time.sample })
                      : t('home.of_parcels', { count: on_time.sample })}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  )
}

function Length({ share }: { share: number }) {
  return (
    <svg
      className="length series-3"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect className="chart-bar" width={Math.max(1, share * 100)} height={4} />
    </svg>
  )
}

function Loading() {
  return (
    <div className="stack">
      <SkeletonBox rows={2} />
      <SkeletonBox rows={6} />
    </div>
  )
}
