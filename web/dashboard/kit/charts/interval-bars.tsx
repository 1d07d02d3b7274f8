import { scaleLinear } from 'd3-scale'
import type { ReactNode } from 'react'
import { Chart } from './chart.tsx'
import { NotDrawn, useWidth } from './use-width.tsx'

export interface IntervalRow {
  name: string
  label: string
  /** Undefined: there are too few to say. */
  measured: { value: number; low: number; high: number } | undefined
  /** The size of the sample as text; also why there is nothing. */
  sample: string
  series: 1 | 2 | 3 | 4 | 5 | 6
}

interface IntervalBarsProps {
  title: string
  lead?: ReactNode
  rows: readonly IntervalRow[]
  format: (value: number) => string
  /** The interval as text: "4 % to 6 %". */
  words: (low: string, high: string) => string
  headings: { name: string; value: string; interval: string; sample: string }
}

/** A bar for each row, from zero, with the interval in which the true value lies. */
export function IntervalBars(props: IntervalBarsProps) {
  const { title, lead, rows, format, words } = props
  const most = Math.max(0, ...rows.map(({ measured }) => measured?.high ?? 0))
  return (
    <Chart title={title} lead={lead} table={<IntervalTable {...props} />}>
      <ul className="interval-rows">
        {rows.map(({ name, label, measured, sample, series }) => (
          <li key={name} className={`interval-row series-${series}`}>
            <div className="row apart">
              <span className="strong">{label}</span>
              {measured && (
                <span className="number">
                  <strong>{format(measured.value)}</strong>{' '}
                  <span className="soft small">{words(format(measured.low), format(measured.high))}</span>
                </span>
              )}
            </div>
            {measured && <Bar measured={measured} most={most} />}
            <p className="soft small">{sample}</p>
          </li>
        ))}
      </ul>
    </Chart>
  )
}

const height = 20

/** Decoration for the eye: the words beside it say the same. */
function Bar({ measured, most }: { measured: { value: number; low: number; high: number }; most: number }) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const x = scaleLinear([0, most || 1], [0, Math.max(0, width - 2)])
  const [low, high] = [x(Math.max(0, measured.low)), x(measured.high)]
  return (
    <div className="chart-frame" ref={frame} aria-hidden="true">
      {width === 0 ? (
        <NotDrawn height={height} />
      ) : (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
          <rect className="interval-track" x={0} y={4} width={width} height={height - 8} rx={2} />
          <rect className="chart-bar" x={0} y={4} width={x(Math.max(0, measured.value))} height={height - 8} rx={2} />
          <path
            className="interval-whisker"
            d={`M${low} ${height / 2}H${high}M${low} 3V${height - 3}M${high} 3V${height - 3}`}
          />
          <line className="chart-base" x1={0.5} x2={0.5} y1={0} y2={height} />
        </svg>
      )}
    </div>
  )
}

function IntervalTable({ rows, format, words, headings }: IntervalBarsProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{headings.name}</th>
          <th scope="col" className="number">
            {headings.value}
          </th>
          <th scope="col" className="number">
            {headings.interval}
          </th>
          <th scope="col">{headings.sample}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, label, measured, sample }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td className="number">{measured ? format(measured.value) : '–'}</td>
            <td className="number">{measured ? words(format(measured.low), format(measured.high)) : '–'}</td>
            <td>{sample}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
