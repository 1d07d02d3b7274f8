import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { formatDate } from '../../kit/format.ts'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { rich, t } from '../../texts/texts.ts'
import { Breakdown } from './breakdown.tsx'
import { Filters, Switches } from './controls.tsx'
import { PromisesKept } from './promises.tsx'
import { type PerformanceSearch, usualPeriod } from './search.ts'
import { TargetSetting } from './target.tsx'
import { Tiles } from './tiles.tsx'
import { type DeliveryTimes, timesQuery } from './times.ts'
import { Weeks } from './weeks.tsx'

/** How long deliveries take, and how many of them arrive when they should. */
export function Performance() {
  const slug = useSlug()
  const search = useSearch({ from: '/signed-in/$slug/performance' })
  const navigate = useNavigate({ from: '/$slug/performance' })
  const { group = ['carrier'] as const } = search
  const { data, error, refetch, isPlaceholderData } = useQuery(timesQuery(slug, search, group))
  // The parts further down are drawn after the first frame.
  const isBelowShown = useDeferredValue(true, false)
  const change = (given: PerformanceSearch) =>
    void navigate({ search: (before) => ({ ...before, ...given }), resetScroll: false })
  return (
    <Page title={t('performance.title')} lead={data && <Period times={data} />}>
      <Switches search={search} />
      <Filters search={search} onChange={change} />
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Loading />}
      {data && data.total.delivered === 0 && <Nothing search={search} onChange={change} />}
      {data && data.total.delivered > 0 && (
        <div className={`stack loose ${isPlaceholderData ? 'is-old' : ''}`} aria-busy={isPlaceholderData}>
          <Tiles times={data} search={search} />
          <TargetSetting target={data.target} />
          <Weeks times={data} search={search} />
          {isBelowShown && (
            <>
              <Breakdown times={data} search={search} onChange={change} />
              <PromisesKept search={search} />
            </>
          )}
          <p className="soft small">
            {rich('performance.business_days_note', {
              link: (
                <Link to="/$slug/settings/calendar" params={{ slug }}>
                  {t('performance.business_days_link')}
                </Link>
              ),
            })}
          </p>
        </div>
      )}
    </Page>
  )
}

function Period({ times: { from, to, as_of } }: { times: DeliveryTimes }) {
  const isOld = Date.now() - Date.parse(as_of) > 60_000
  const day = (date: string) => formatDate(`${date}T12:00:00`)
  return (
    <>
      {t('performance.lead', { from: day(from), to: day(to) })}
      {isOld && <> {rich('home.as_of', { time: <RelativeTime at={as_of} /> })}</>}
    </>
  )
}

function Nothing({ search, onChange }: { search: PerformanceSearch; onChange: (given: PerformanceSearch) => void }) {
  const { carrier, country, service, days = usualPeriod } = search
  if (carrier ?? country ?? service) {
    return (
      <Empty
        title={t('list.nothing_found')}
        action={
          <Button onClick={() => onChange({ carrier: undefined, country: undefined, service: undefined })}>
            {t('list.clear_all')}
          </Button>
        }
      >
        {t('performance.nothing_found')}
      </Empty>
    )
  }
  return (
    <Empty
      title={t('performance.empty')}
      action={
        days === '365' ? undefined : (
          <Button onClick={() => onChange({ days: '365' })}>{t('performance.longer_period')}</Button>
        )
      }
    >
      {t('performance.empty_text')}
    </Empty>
  )
}

function Loading() {
  return (
    <div className="stack">
      <SkeletonBox rows={2} />
      <SkeletonBox rows={6} />
      <SkeletonBox rows={6} />
    </div>
  )
}
