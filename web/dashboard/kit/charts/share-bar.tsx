import { scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import type { ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import { formatNumber, formatShare } from '../format.ts'
import { Chart } from './chart.tsx'
import { MarkLink, type MarkTarget } from './marks.tsx'
import { NotDrawn, useWidth } from './use-width.tsx'

export interface Part {
  name: string
  label: string
  value: number
  before?: number | undefined
  series: 1 | 2 | 3 | 4 | 5 | 6
  target: MarkTarget
}

interface ShareBarProps {
  title: string
  lead?: ReactNode
  parts: readonly Part[]
  empty: ReactNode
}

/** The parts of a whole: one bar, and below it each part with its label, count and share. */
export function ShareBar({ title, lead, parts, empty }: ShareBarProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const table = <PartTable parts={parts} total={total} title={title} />
  if (total === 0) {
    return (
      <Chart title={title} table={table}>
        <div className="chart-empty soft">{empty}</div>
      </Chart>
    )
  }
  return (
    <Chart title={title} lead={lead} table={table}>
      <Bar parts={parts} total={total} />
      <ul className="chart-parts">
        {parts.map(({ name, label, value, series, target }) => (
          <li key={name}>
            <MarkLink {...target} className={`chart-part ${value === 0 ? 'soft' : ''}`}>
              <span className={`chart-swatch series-${series}`} aria-hidden="true" />
              <span className="grow">{label}</span>
              <span className="number strong">{formatNumber(value)}</span>
              <span className="number soft chart-share">{formatShare(value / total)}</span>
            </MarkLink>
          </li>
        ))}
      </ul>
    </Chart>
  )
}

const height = 24
const gap = 2

/** Decoration for the eye: the list below it says the same, and its entries are the links. */
function Bar({ parts, total }: { parts: readonly Part[]; total: number }) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const x = scaleLinear([0, total], [0, width])
  const row = Object.fromEntries(parts.map(({ name, value }) => [name, value]))
  const layers = stack<Record<string, number>>().keys(parts.map(({ name }) => name))([row])
  return (
    <div className="chart-frame" ref={frame} aria-hidden="true">
      {width === 0 ? (
        <NotDrawn height={height} />
      ) : (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
          {layers.map((layer, index) => {
            const [from, to] = layer[0] ?? [0, 0]
            if (to === from) return null
            return (
              <rect
                key={layer.key}
                className={`chart-bar series-${parts[index]?.series}`}
                x={x(from)}
                y={0}
                width={Math.max(2, x(to) - x(from) - gap)}
                height={height}
                rx={2}
              />
            )
          })}
        </svg>
      )}
    </div>
  )
}

function PartTable({ parts, total, title }: { parts: readonly Part[]; total: number; title: string }) {
  const hasBefore = parts.some(({ before }) => before !== undefined)
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" className="number">
            {t('charts.now')}
          </th>
          <th scope="col" className="number">
            {t('charts.share')}
          </th>
          {hasBefore && (
            <th scope="col" className="number">
              {t('charts.before')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {parts.map(({ name, label, value, before }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td className="number">{formatNumber(value)}</td>
            <td className="number">{total === 0 ? '–' : formatShare(value / total)}</td>
            {hasBefore && <td className="number">{before === undefined ? '–' : formatNumber(before)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
