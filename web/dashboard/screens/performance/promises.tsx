import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Reply, read, refreshMs } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { TargetBars, type TargetRow } from '../../kit/charts/target-bars.tsx'
import { formatCountry, formatNumber, formatShare } from '../../kit/format.ts'
import { Card, Facts } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonBox } from '../../kit/states.tsx'
import { rich, t } from '../../texts/texts.ts'
import { promisesCall } from './calls.ts'
import type { PerformanceSearch, Scope } from './search.ts'
import { minSample, parcelsOf, shortDays } from './times.ts'

type Report = Reply<'/v1/shops/{slug}/analytics/promises'>
type Route = Report['routes'][number]
type Point = Report['total']['calibration'][number]

/** The table has them all, too many bars say nothing. */
const maxRows = 12

/** How many promises were kept in the period, and whether those given for 90 percent were kept in 90 percent. */
export function PromisesKept({ search }: { search: PerformanceSearch }) {
  const slug = useSlug()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...read(...promisesCall(slug, search)),
    refetchInterval: 3 * refreshMs,
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <SkeletonBox rows={4} />
  return (
    <div className={`stack loose ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
      <Kept report={data} />
      <Calibration report={data} search={search} />
    </div>
  )
}

function Kept({ report: { total } }: { report: Report }) {
  const slug = useSlug()
  if (total.promised === 0) {
    return (
      <Card title={t('performance.promises')}>
        <p className="soft">
          {rich('performance.promises_none', {
            link: (
              <Link to="/$slug/settings/promises" params={{ slug }}>
                {t('performance.promises_link')}
              </Link>
            ),
          })}
        </p>
      </Card>
    )
  }
  const decided = total.kept + total.broken
  return (
    <Card title={t('performance.promises')}>
      <p>
        {decided < minSample || total.kept_share === null
          ? t('performance.promises_few', { count: decided })
          : t('performance.promises_share', { share: formatShare(total.kept_share), decided: formatNumber(decided) })}
      </p>
      <div className="promise-figures">
        <Facts
          facts={[
            [t('performance.promises_kept'), formatNumber(total.kept)],
            [t('performance.promises_broken'), formatNumber(total.broken)],
            [t('performance.promises_open'), formatNumber(total.open)],
            [
              t('performance.promises_at_risk'),
              <Link key="at_risk" to="/$slug/exceptions" params={{ slug }} search={{ kind: 'at_risk' }}>
                {formatNumber(total.at_risk)}
              </Link>,
            ],
            [
              t('performance.promises_width'),
              total.mean_width_days === null ? undefined : shortDays(total.mean_width_days),
            ],
          ]}
        />
      </div>
    </Card>
  )
}

function Calibration({ report: { routes, total }, search }: { report: Report; search: PerformanceSearch }) {
  const slug = useSlug()
  const points = routes.flatMap((route) =>
    route.calibration.filter(({ decided }) => decided > 0).map((point) => ({ route, point })),
  )
  if (points.length === 0) return null
  const hasSeveral = total.calibration.length > 1
  const rows = points.slice(0, maxRows).map(({ route, point }): TargetRow => {
    const label = routeName(route)
    return {
      name: `${label} ${point.percentile}`,
      label: hasSeveral ? t('performance.route_at', { route: label, share: formatShare(point.percentile) }) : label,
      target: parcelsOf(slug, scopeOf(search, route)),
      aim: point.percentile,
      reached: point.decided < minSample || point.share === null ? undefined : point.share,
      sample: sampleWords(point),
    }
  })
  return (
    <TargetBars
      title={t('performance.calibration')}
      lead={t('performance.calibration_lead')}
      rows={rows}
      words={(reached, aim) => t('performance.calibration_words', { reached, aim })}
      headings={{
        name: t('performance.route'),
        aim: t('performance.promised_share'),
        reached: t('performance.reached_share'),
        sample: t('performance.promises_decided'),
      }}
    />
  )
}

function sampleWords({ decided, kept }: Point): string {
  return decided < minSample
    ? t('performance.promises_few', { count: decided })
    : t('performance.promises_of', { kept: formatNumber(kept), decided: formatNumber(decided) })
}

function routeName({ carrier_name, carrier_reference, destination_country }: Route): string {
  const carrier = carrier_name ?? carrier_reference ?? t('performance.no_carrier')
  return `${carrier} → ${destination_country ? formatCountry(destination_country) : t('performance.no_country')}`
}

function scopeOf({ days }: Scope, { carrier_reference, destination_country }: Route): Scope {
  return { days, carrier: carrier_reference ?? 'none', country: destination_country ?? 'none' }
}
