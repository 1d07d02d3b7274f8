import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type ReactNode, useState } from 'react'
import { formatDay } from '../format.ts'
import { Mark, type MarkTarget, moveBetweenMarks } from './marks.tsx'
import { NotDrawn, useWidth } from './use-width.tsx'

/** One bar: a day, or a week by its Monday. */
export interface Bar {
  /** YYYY-MM-DD. */
  date: string
  /** Undefined: there is none to draw. */
  value: number | undefined
  /** A second value, drawn as a line from bar to bar. */
  line?: number | undefined
  /** Too little is behind it to rely on. */
  isWeak?: boolean | undefined
  /** All of it as a sentence. */
  words: string
}

export type Series = 1 | 2 | 3 | 4 | 5

interface BarsProps {
  title: string
  bars: readonly Bar[]
  /** One of the colours of the chart tokens. */
  series: Series
  /** The values of the scale. */
  format: (value: number) => string
  /** The end of the scale; else it follows the values. */
  most?: number | undefined
  /** Whether the scale has whole numbers only. */
  isCount?: boolean
  /** The meaning of the line: the period before, or a value of its own with a dot at each bar. */
  lineStyle: 'before' | 'over'
  /** A value to compare with, drawn as a line across. */
  mark?: number | undefined
  /** Shown above the bars while none is pointed at. */
  legend: ReactNode
  /** The link behind a bar; absent: no link. */
  targetOf?: ((date: string) => MarkTarget) | undefined
}

const height = 176
const edge = { top: 12, bottom: 24 }
/** The labels of the scale stand at the left, one digit is about this wide. */
const digitWidth = 7
const labelWidth = 80

/** Bars from zero, with a line across or from bar to bar. With the keyboard one moves from bar to bar. */
export function Bars(props: BarsProps) {
  const { title, bars, series, format, lineStyle, mark, legend, targetOf } = props
  const [frame, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<string>()
  const { x, y, ticks, left } = scalesOf(props, width)
  const middle = (date: string) => (x(date) ?? 0) + x.bandwidth() / 2
  const path = line<Bar>()
    .defined((bar) => bar.line !== undefined)
    .x(({ date }) => middle(date))
    .y((bar) => y(bar.line ?? 0))
  const step = Math.max(1, Math.ceil(bars.length / Math.max(2, Math.floor(width / labelWidth))))
  return (
    <div className="chart-frame" ref={frame}>
      <p className="chart-readout small" aria-hidden="true">
        {bars.find(({ date }) => date === pointed)?.words ?? legend}
      </p>
      {width === 0 ? (
        <NotDrawn height={height} />
      ) : (
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
                {format(tick)}
              </text>
            </g>
          ))}
          {bars.map(({ date, value, isWeak, words }, index) => (
            <Mark
              key={date}
              target={targetOf?.(date)}
              className={`chart-mark series-${series} ${isWeak ? 'weak' : ''}`}
              aria-label={words}
              tabIndex={index === bars.length - 1 ? 0 : -1}
              onFocus={() => setPointed(date)}
              onBlur={() => setPointed(undefined)}
              onPointerEnter={() => setPointed(date)}
            >
              <rect
                className="chart-hit"
                x={(x(date) ?? 0) - (x.step() - x.bandwidth()) / 2}
                y={0}
                width={x.step()}
                height={height - edge.bottom}
              />
              {value !== undefined && (
                <rect
                  className="chart-bar"
                  x={x(date)}
                  // Zero days are a value, and must be seen; a count of zero is nothing.
                  y={props.isCount ? y(value) : Math.min(y(value), y(0) - 2)}
                  width={x.bandwidth()}
                  height={Math.max(props.isCount ? 0 : 2, y(0) - y(value))}
                  rx={Math.min(2, x.bandwidth() / 4)}
                />
              )}
            </Mark>
          ))}
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of lines cannot get the focus */}
          <g aria-hidden="true" className="chart-still">
            <path className={`chart-${lineStyle}`} d={path(bars) ?? ''} />
            {lineStyle === 'over' &&
              bars.map(({ date, line }) =>
                line === undefined ? null : (
                  <circle key={date} className="chart-dot" cx={middle(date)} cy={y(line)} r={3} />
                ),
              )}
            {mark !== undefined && <line className="chart-before" x1={left} x2={width} y1={y(mark)} y2={y(mark)} />}
            <line className="chart-base" x1={left} x2={width} y1={y(0)} y2={y(0)} />
            {bars.map(({ date }, index) =>
              // The last one is always named, and counted back from.
              (bars.length - 1 - index) % step === 0 ? (
                <DateLabel key={date} date={date} at={middle(date)} width={width} />
              ) : null,
            )}
          </g>
        </svg>
      )}
    </div>
  )
}

function scalesOf({ bars, format, most, isCount, mark }: BarsProps, width: number) {
  const highest = most ?? Math.max(1, mark ?? 0, ...bars.map(({ value = 0, line = 0 }) => Math.max(value, line)))
  const y = scaleLinear([0, highest], [height - edge.bottom, edge.top])
  if (most === undefined) y.nice(4)
  const ticks = y.ticks(4).filter((tick) => tick > 0 && (!isCount || Number.isInteger(tick)))
  const left = 8 + digitWidth * Math.max(...ticks.map((tick) => format(tick).length), 1)
  const x = scaleBand()
    .domain(bars.map(({ date }) => date))
    .range([left, Math.max(left + 1, width)])
    .padding(bars.length > 60 ? 0.1 : 0.25)
  return { x, y, ticks, left }
}

/** A label near an edge stands inside it. */
function DateLabel({ date, at, width }: { date: string; at: number; width: number }) {
  const [anchor, x] = at < 28 ? ['at-start', 0] : at > width - 28 ? ['at-end', width] : ['at-middle', at]
  return (
    <text className={`chart-label ${anchor}`} x={x} y={height - 6}>
      {formatDay(noonOf(date))}
    </text>
  )
}

/** A date without a time is midnight in UTC, which is another day in half of the world; noon is the same everywhere. */
export function noonOf(date: string): string {
  return `${date}T12:00:00`
}
