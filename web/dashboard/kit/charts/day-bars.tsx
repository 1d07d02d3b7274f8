import type { ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { formatDate, formatNumber } from '../format.ts'
import { Bars, noonOf, type Series } from './bars.tsx'
import { Chart } from './chart.tsx'
import type { MarkTarget } from './marks.tsx'

export interface DayValue {
  /** YYYY-MM-DD. */
  date: string
  value: number
  /** The day in the period before that it is compared with. */
  before: number | undefined
}

interface DayBarsProps {
  title: string
  lead?: ReactNode
  days: readonly DayValue[]
  /** The count as text: "12 orders". */
  words: (count: number) => string
  /** One of the colours of the chart tokens. */
  series: Series
  /** The link behind a bar; absent: no link. */
  targetOf?: (date: string) => MarkTarget
  /** Shown if there is nothing to draw. */
  empty: ReactNode
}

/** A bar for each day, with the period before as a line. Each bar leads to what it counts. */
export function DayBars(props: DayBarsProps) {
  const { title, lead, days, words, series, targetOf, empty } = props
  const hasBefore = days.some(({ before }) => before !== undefined)
  const isEmpty = days.every(({ value, before }) => value === 0 && !before)
  return (
    <Chart title={title} lead={isEmpty ? undefined : lead} table={<DayTable {...props} hasBefore={hasBefore} />}>
      {isEmpty ? (
        <div className="chart-empty soft">{empty}</div>
      ) : (
        <Bars
          title={title}
          bars={days.map((day) => ({ date: day.date, value: day.value, line: day.before, words: wordsOf(day, words) }))}
          series={series}
          format={formatNumber}
          isCount
          lineStyle="before"
          legend={<Legend series={series} hasBefore={hasBefore} />}
          targetOf={targetOf}
        />
      )}
    </Chart>
  )
}

function wordsOf({ date, value, before }: DayValue, words: (count: number) => string): string {
  const day = formatDate(noonOf(date))
  return before === undefined
    ? t('charts.day', { day, value: words(value) })
    : t('charts.day_before', { day, value: words(value), before: formatNumber(before) })
}

function Legend({ series, hasBefore }: { series: number; hasBefore: boolean }) {
  if (!hasBefore) return null
  return (
    <span className="row soft">
      <span className={`chart-swatch series-${series}`} /> {t('charts.now')}
      <span className="chart-swatch before" /> {t('charts.before')}
    </span>
  )
}

function DayTable({ days, title, hasBefore }: DayBarsProps & { hasBefore: boolean }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t('charts.date')}</th>
          <th scope="col" className="number">
            {title}
          </th>
          {hasBefore && (
            <th scope="col" className="number">
              {t('charts.before')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, value, before }) => (
          <tr key={date}>
            <th scope="row">{formatDate(noonOf(date))}</th>
            <td className="number">{formatNumber(value)}</td>
            {hasBefore && <td className="number">{before === undefined ? '–' : formatNumber(before)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
