import type { ReactNode } from 'react'
import { type Bar, Bars, type Series } from './bars.tsx'
import { Chart } from './chart.tsx'
import type { MarkTarget } from './marks.tsx'

interface WeekChartProps {
  title: string
  lead?: ReactNode
  /** By their Mondays. */
  weeks: readonly Bar[]
  barName: string
  lineName?: string
  /** The values of the scale. */
  format: (value: number) => string
  /** The end of the scale; else it follows the values. */
  most?: number
  /** A value to compare with, drawn as a line across. */
  mark?: { value: number; label: string } | undefined
  series: Series
  targetOf: (week: string) => MarkTarget
  table: ReactNode
  actions?: ReactNode
  empty: ReactNode
}

/** A bar for each week, with a second value as a line. Each week leads to what it is about. */
export function WeekChart(props: WeekChartProps) {
  const { title, lead, weeks, barName, lineName, format, most, mark, series, targetOf, table, actions, empty } = props
  if (weeks.every(({ value }) => value === undefined)) {
    return (
      <Chart title={title} table={table} actions={actions}>
        <div className="chart-empty soft">{empty}</div>
      </Chart>
    )
  }
  const legend = (
    <span className="row soft">
      <span className={`chart-swatch series-${series}`} /> {barName}
      {lineName && <span className="chart-swatch over" />} {lineName}
      {mark && <span className="chart-swatch before" />} {mark?.label}
    </span>
  )
  return (
    <Chart title={title} lead={lead} table={table} actions={actions}>
      <Bars
        title={title}
        bars={weeks}
        series={series}
        format={format}
        most={most}
        lineStyle="over"
        mark={mark?.value}
        legend={legend}
        targetOf={targetOf}
      />
    </Chart>
  )
}
