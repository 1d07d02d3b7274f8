import { Link } from '@tanstack/react-router'
import { scaleLinear } from 'd3-scale'
import type { ReactNode } from 'react'
import { formatShare } from '../format.ts'
import { Chart } from './chart.tsx'
import type { MarkTarget } from './marks.tsx'
import { NotDrawn, useWidth } from './use-width.tsx'

export interface TargetRow {
  name: string
  label: string
  /** The link to its records. */
  target: MarkTarget
  /** The share that was to be reached. */
  aim: number
  /** The share that was reached; undefined: there are too few to say. */
  reached: number | undefined
  /** The size of the sample as text; also why there is nothing. */
  sample: string
}

interface TargetBarsProps {
  title: string
  lead?: ReactNode
  rows: readonly TargetRow[]
  headings: { name: string; aim: string; reached: string; sample: string }
  /** Both shares as text: "94 % in time, 90 % promised". */
  words: (reached: string, aim: string) => string
}

/** A bar for each row from zero to a hundred percent, with a mark at the target. */
export function TargetBars(props: TargetBarsProps) {
  const { title, lead, rows, words } = props
  return (
    <Chart title={title} lead={lead} table={<TargetTable {...props} />}>
      <ul className="interval-rows">
        {rows.map(({ name, label, target, aim, reached, sample }) => (
          <li key={name} className="interval-row series-1">
            <div className="row apart">
              <Link {...target} className="strong">
                {label}
              </Link>
              {reached !== undefined && (
                <span className="number small">{words(formatShare(reached), formatShare(aim))}</span>
              )}
            </div>
            {reached !== undefined && <Bar reached={reached} aim={aim} />}
            <p className="soft small">{sample}</p>
          </li>
        ))}
      </ul>
    </Chart>
  )
}

const height = 20

/** Decoration for the eye: the words beside it say the same. */
function Bar({ reached, aim }: { reached: number; aim: number }) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const x = scaleLinear([0, 1], [0, Math.max(0, width - 2)])
  return (
    <div className="chart-frame" ref={frame} aria-hidden="true">
      {width === 0 ? (
        <NotDrawn height={height} />
      ) : (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
          <rect className="interval-track" x={0} y={4} width={width} height={height - 8} rx={2} />
          <rect className="chart-bar" x={0} y={4} width={x(reached)} height={height - 8} rx={2} />
          <path className="interval-whisker" d={`M${x(aim)} 0V${height}`} />
          <line className="chart-base" x1={0.5} x2={0.5} y1={0} y2={height} />
        </svg>
      )}
    </div>
  )
}

function TargetTable({ rows, headings }: TargetBarsProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{headings.name}</th>
          <th scope="col" className="number">
            {headings.aim}
          </th>
          <th scope="col" className="number">
            {headings.reached}
          </th>
          <th scope="col">{headings.sample}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, label, aim, reached, sample }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td className="number">{formatShare(aim)}</td>
            <td className="number">{reached === undefined ? '–' : formatShare(reached)}</td>
            <td>{sample}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
