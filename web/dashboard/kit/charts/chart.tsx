import { type ReactNode, useId, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from '../button.tsx'

interface ChartProps {
  title: string
  /** One sentence that says what the chart shows, in figures. */
  lead?: ReactNode
  /** The same figures as a table. */
  table: ReactNode
  /** Beside its title. */
  actions?: ReactNode
  children: ReactNode
}

/** A chart with its title. The table behind it is one click away. */
export function Chart({ title, lead, table, actions, children }: ChartProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  return (
    <figure className="chart card" aria-labelledby={id}>
      <div className="row apart">
        <h3 id={id}>{title}</h3>
        <div className="row">
          {actions}
          <Button variant="quiet" isSmall aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {t('charts.table')}
          </Button>
        </div>
      </div>
      {lead && <p className="chart-lead soft small">{lead}</p>}
      {isTable ? <ScrollingTable title={title}>{table}</ScrollingTable> : children}
    </figure>
  )
}

/** Scrolls by itself, so it can be reached with the keyboard. */
function ScrollingTable({ title, children }: { title: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="chart-table" aria-label={title} tabIndex={0}>
      {children}
    </section>
  )
}
