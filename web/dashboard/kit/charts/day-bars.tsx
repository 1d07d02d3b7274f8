import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type ReactNode, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { formatDate, formatDay, formatNumber } from '../format.ts'
import { Chart } from './chart.tsx'
import { MarkLink, type MarkTarget, moveBetweenMarks } from './marks.tsx'
import { useWidth } from './use-width.ts'

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
  /** The count in words: "12 orders". */
  words: (count: number) => string
  /** Which colour of the chart tokens. */
  series: 1 | 2 | 3 | 4 | 5
  targetOf: (date: string) => MarkTarget
  /** What is shown if there is nothing to draw. */
  empty: ReactNode
}

/** A bar for each day, from zero, with the period before as a line. Each bar leads to what it counts. */
export function DayBars(props: DayBarsProps) {
  const { title, lead, days, empty } = props
  const hasBefore = days.some(({ before }) => before !== undefined)
  if (days.every(({ value, before }) => value === 0 && !before)) {
    return (
      <Chart title={title} table={<DayTable {...props} hasBefore={hasBefore} />}>
        <div className="chart-empty soft">{empty}</div>
      </Chart>
    )
  }
  return (
    <Chart title={title} lead={lead} table={<DayTable {...props} hasBefore={hasBefore} />}>
      <Drawing {...props} />
    </Chart>
  )
}

const height = 168
const edge = { top: 8, right: 0, bottom: 24 }
/** The labels of the scale stand at the left, one digit is about this wide. */
const digitWidth = 7

function Drawing({ title, days, words, series, targetOf }: DayBarsProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<string>()
  const most = Math.max(1, ...days.map(({ value, before = 0 }) => Math.max(value, before)))
  const y = scaleLinear([0, most], [height - edge.bottom, edge.top]).nice(3)
  const ticks = y.ticks(3).filter((tick) => tick > 0 && Number.isInteger(tick))
  const left = 8 + digitWidth * Math.max(...ticks.map((tick) => formatNumber(tick).length), 1)
  const x = scaleBand()
    .domain(days.map(({ date }) => date))
    .range([left, Math.max(left + 1, width - edge.right)])
    .padding(days.length > 60 ? 0.1 : 0.25)
  const middle = (date: string) => (x(date) ?? 0) + x.bandwidth() / 2
  const beforeLine = line<DayValue>()
    .defined(({ before }) => before !== undefined)
    .x(({ date }) => middle(date))
    .y(({ before = 0 }) => y(before))
  const wordsOf = ({ date, value, before }: DayValue) =>
    before === undefined
      ? t('charts.day', { day: formatDate(noonOf(date)), value: words(value) })
      : t('charts.day_before', { day: formatDate(noonOf(date)), value: words(value), before: formatNumber(before) })
  const shown = days.find(({ date }) => date === pointed)
  const step = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor(width / 88))))
  return (
    <div className="chart-frame" ref={frame}>
      <p className="chart-readout small" aria-hidden="true">
        {shown ? (
          wordsOf(shown)
        ) : (
          <Legend series={series} hasBefore={days.some(({ before }) => before !== undefined)} />
        )}
      </p>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a drawing
        <svg
          role="group"
          aria-label={title}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          onKeyDown={moveBetweenMarks}
          onPointerLeave={() => setPointed(undefined)}
        >
          {ticks.map((tick) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of lines cannot get the focus
            <g key={tick} aria-hidden="true">
              <line className="chart-grid" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
              <text className="chart-label at-end" x={left - 6} y={y(tick) + 4}>
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {days.map((day, index) => (
            <MarkLink
              key={day.date}
              {...targetOf(day.date)}
              className={`chart-mark series-${series}`}
              aria-label={wordsOf(day)}
              tabIndex={index === days.length - 1 ? 0 : -1}
              onFocus={() => setPointed(day.date)}
              onBlur={() => setPointed(undefined)}
              onPointerEnter={() => setPointed(day.date)}
            >
              <rect
                className="chart-hit"
                x={(x(day.date) ?? 0) - (x.step() - x.bandwidth()) / 2}
                y={0}
                width={x.step()}
                height={height - edge.bottom}
              />
              <rect
                className="chart-bar"
                x={x(day.date)}
                y={y(day.value)}
                width={x.bandwidth()}
                height={y(0) - y(day.value)}
                rx={Math.min(2, x.bandwidth() / 4)}
              />
            </MarkLink>
          ))}
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of lines cannot get the focus */}
          <g aria-hidden="true" className="chart-still">
            <path className="chart-before" d={beforeLine(days) ?? ''} />
            <line className="chart-base" x1={left} x2={width} y1={y(0)} y2={y(0)} />
            {days.map(({ date }, index) =>
              // The last day is always named, and counted back from.
              (days.length - 1 - index) % step === 0 ? (
                <text
                  key={date}
                  className={`chart-label ${anchorOf(middle(date), width)}`}
                  x={Math.min(width, Math.max(0, anchored(middle(date), width)))}
                  y={height - 6}
                >
                  {formatDay(noonOf(date))}
                </text>
              ) : null,
            )}
          </g>
        </svg>
      )}
    </div>
  )
}

/** A date without a time is midnight in UTC, which is another day in half of the world; noon is the same everywhere. */
function noonOf(date: string): string {
  return `${date}T12:00:00`
}

/** Labels near an edge stand inside it. */
function anchorOf(at: number, width: number): 'at-start' | 'at-middle' | 'at-end' {
  if (at < 28) return 'at-start'
  return at > width - 28 ? 'at-end' : 'at-middle'
}

function anchored(at: number, width: number): number {
  if (at < 28) return 0
  return at > width - 28 ? width : at
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
