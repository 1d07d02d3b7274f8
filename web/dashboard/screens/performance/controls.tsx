import { useQuery } from '@tanstack/react-query'
import { useSlug } from '../../app/session.ts'
import type { MarkTarget } from '../../kit/charts/marks.tsx'
import { formatCountry } from '../../kit/format.ts'
import { Filter } from '../../kit/list/controls.tsx'
import { Segments } from '../../kit/segments.tsx'
import { t } from '../../texts/texts.ts'
import {
  type Grouping,
  groupings,
  type PerformanceSearch,
  periods,
  type Scope,
  starts,
  units,
  usualPeriod,
} from './search.ts'
import { measureOf, type Row, timesQuery } from './times.ts'

/** Switches for the period, the days that count, and the moment from which they count. */
export function Switches({ search }: { search: PerformanceSearch }) {
  const { unit, since } = measureOf(search)
  const target = (change: PerformanceSearch): MarkTarget => ({
    to: '.',
    search: { ...search, ...change } as never, // typed by search.ts
  })
  return (
    <div className="row switches">
      <Segments
        label={t('performance.period')}
        chosen={search.days ?? usualPeriod}
        choices={periods.map((days) => ({
          value: days,
          label: t('home.days', { count: Number(days) }),
          target: target({ days: days === usualPeriod ? undefined : days }),
        }))}
      />
      <Segments
        label={t('performance.unit')}
        chosen={unit}
        choices={units.map((value) => ({
          value,
          label: t(`performance.unit_${value}`),
          target: target({ unit: value === 'calendar' ? value : undefined }),
        }))}
      />
      <Segments
        label={t('performance.since')}
        chosen={since}
        choices={starts.map((value) => ({
          value,
          label: t(`performance.from_${value}`),
          target: target({ since: value === 'placed' ? value : undefined }),
        }))}
      />
    </div>
  )
}

interface FiltersProps {
  search: Scope
  onChange: (change: Scope) => void
}

/** Chips for what the deliveries of the period have: carriers, countries and services. */
export function Filters({ search, onChange }: FiltersProps) {
  const slug = useSlug()
  const { data } = useQuery(timesQuery(slug, { days: search.days }, groupings))
  const shown = groupings
    .map((name) => ({ name, choices: choicesOf(data?.rows ?? [], name, search[name]) }))
    .filter(({ name, choices }) => choices.length > 1 || search[name] !== undefined)
  if (shown.length === 0) return null
  return (
    <div className="list-controls row">
      {shown.map(({ name, choices }) => (
        <Filter
          key={name}
          label={t(`performance.${name}`)}
          isSingle
          choices={choices}
          chosen={[search[name] ?? []].flat()}
          onChange={([value]) => onChange({ [name]: value })}
        />
      ))}
    </div>
  )
}

function choicesOf(rows: readonly Row[], name: Grouping, chosen: string | undefined) {
  const labels = new Map<string, string>(chosen === undefined ? [] : [[chosen, labelOfValue(name, chosen)]])
  for (const row of rows) labels.set(valueIn(row, name), labelOf(row, name))
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((left, right) => left.label.localeCompare(right.label))
}

function valueIn(row: Row, name: Grouping): string {
  return { carrier: row.carrier_reference, country: row.country, service: row.service }[name] ?? 'none'
}

/** The label of a row in one of its columns. */
export function labelOf(row: Row, name: Grouping): string {
  if (name === 'carrier' && row.carrier_name) return row.carrier_name
  return labelOfValue(name, valueIn(row, name))
}

function labelOfValue(name: Grouping, value: string): string {
  if (value === 'none') return t(`performance.no_${name}`)
  return name === 'country' ? formatCountry(value) : value
}
