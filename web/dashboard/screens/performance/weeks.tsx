import { Link } from '@tanstack/react-router'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import type { Bar } from '../../kit/charts/bars.tsx'
import { WeekChart } from '../../kit/charts/week-chart.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatDate, formatNumber, formatShare } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import { csvOf } from './csv-rows.ts'
import type { PerformanceSearch } from './search.ts'
import {
  type DeliveryTimes,
  inDays,
  type Measure,
  measureOf,
  minSample,
  parcelsOf,
  type Row,
  timesOf,
} from './times.ts'

interface WeeksProps {
  times: DeliveryTimes
  search: PerformanceSearch
}

/** Whether it is getting better: days and shares, week by week. */
export function Weeks({ times, search: { group: _group, sort: _sort, ...scope } }: WeeksProps) {
  const slug = useSlug()
  const measure = measureOf(scope)
  const { target, weeks } = times
  const byTarget = target !== null
  const targetOf = (week: string) => parcelsOf(slug, { ...scope, week })
  const outcome = byTarget ? 'on_target' : 'on_time'
  const isComparable = target?.unit === measure.unit && target.since === measure.since
  const csv = (
    <Button
      variant="quiet"
      isSmall
      icon="download"
      onClick={() =>
        saveCsv(
          `${slug}-delivery-times-by-week.csv`,
          weeks.map((row) => csvOf(row, ['week'])),
        )
      }
    >
      {t('performance.csv')}
    </Button>
  )
  return (
    <div className="charts">
      <WeekChart
        title={t('performance.days_by_week')}
        lead={t('performance.days_by_week_lead')}
        weeks={weeks.map((row) => daysIn(row, measure))}
        barName={t('performance.half')}
        lineName={t('performance.nine_in_ten')}
        format={(value) => formatNumber(value, 1)}
        mark={isComparable ? { value: target.days, label: t('performance.target_mark') } : undefined}
        series={1}
        targetOf={targetOf}
        table={<WeekTable weeks={weeks} scope={scope} measure={measure} byTarget={byTarget} />}
        actions={csv}
        empty={t('performance.no_weeks')}
      />
      <WeekChart
        title={byTarget ? t('performance.target_by_week') : t('performance.on_time_by_week')}
        lead={t('performance.rate_by_week_lead')}
        weeks={weeks.map((row) => rateIn(row, byTarget))}
        barName={byTarget ? t('performance.target') : t('performance.on_time')}
        format={formatShare}
        most={1}
        series={3}
        targetOf={(week) => parcelsOf(slug, { ...scope, week, outcome })}
        table={<WeekTable weeks={weeks} scope={scope} measure={measure} byTarget={byTarget} />}
        actions={csv}
        empty={t('performance.no_rates')}
      />
    </div>
  )
}

function daysIn(row: Row, measure: Measure): Bar {
  const { measured, days } = timesOf(row, measure)
  const week = row.week ?? ''
  return {
    date: week,
    value: days?.median,
    line: measured < minSample ? undefined : days?.p90,
    isWeak: measured < minSample,
    words: days
      ? t('performance.week_days', {
          week: dayOf(week),
          median: inDays(days.median, measure.unit),
          p90: inDays(days.p90, measure.unit),
          count: measured,
        })
      : t('performance.week_nothing', { week: dayOf(week) }),
  }
}

function rateIn(row: Row, byTarget: boolean): Bar {
  const { rate, sample } = rateOf(row, byTarget)
  const week = row.week ?? ''
  return {
    date: week,
    value: rate ?? undefined,
    words:
      rate === null
        ? t('performance.week_few', { week: dayOf(week), count: sample })
        : t('performance.week_rate', { week: dayOf(week), rate: formatShare(rate), count: sample }),
  }
}

function rateOf({ target, on_time_rate, expected }: Row, byTarget: boolean) {
  if (!byTarget) return { rate: on_time_rate, sample: expected }
  return { rate: target?.rate ?? null, sample: target?.measured ?? 0 }
}

function dayOf(week: string): string {
  return formatDate(`${week}T12:00:00`)
}

interface WeekTableProps {
  weeks: readonly Row[]
  scope: PerformanceSearch
  measure: Measure
  byTarget: boolean
}

function WeekTable({ weeks, scope, measure, byTarget }: WeekTableProps) {
  const slug = useSlug()
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t('performance.week')}</th>
          {[
            t('performance.delivered'),
            t('performance.half'),
            t('performance.nine_in_ten'),
            byTarget ? t('performance.target') : t('performance.on_time'),
          ].map((label) => (
            <th key={label} scope="col" className="number">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map((row) => {
          const { days } = timesOf(row, measure)
          const { rate, sample } = rateOf(row, byTarget)
          const week = row.week ?? ''
          return (
            <tr key={week}>
              <th scope="row">
                <Link {...parcelsOf(slug, { ...scope, week })}>{dayOf(week)}</Link>
              </th>
              <td className="number">{formatNumber(row.delivered)}</td>
              <td className="number">{days ? formatNumber(days.median, 1) : '–'}</td>
              <td className="number">{days ? formatNumber(days.p90, 1) : '–'}</td>
              <td className="number">
                {rate === null ? '–' : formatShare(rate)}{' '}
                <span className="soft small">{t('home.of_parcels', { count: sample })}</span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
