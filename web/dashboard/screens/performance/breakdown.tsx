import { Link } from '@tanstack/react-router'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import type { MarkTarget } from '../../kit/charts/marks.tsx'
import { saveCsv } from '../../kit/csv.ts'
import { formatList, formatNumber, formatShare } from '../../kit/format.ts'
import { Icon } from '../../kit/icon.tsx'
import { Choices } from '../../kit/list/choices.tsx'
import { type Column, Table } from '../../kit/list/table.tsx'
import { t } from '../../texts/texts.ts'
import { labelOf } from './controls.tsx'
import { csvOf } from './csv-rows.ts'
import { type Grouping, groupings, type Outcome, type PerformanceSearch, type Scope } from './search.ts'
import {
  type DeliveryTimes,
  measureOf,
  minSample,
  parcelsOf,
  type Row,
  scopeOfRow,
  shortDays,
  timesOf,
} from './times.ts'

interface BreakdownProps {
  times: DeliveryTimes
  search: PerformanceSearch
  onChange: (change: PerformanceSearch) => void
}

/** Speed and punctuality: a row for each carrier, country and service, as far as the table is grouped by them. */
export function Breakdown({ times, search, onChange }: BreakdownProps) {
  const slug = useSlug()
  const { group = ['carrier'] as const, sort = '-delivered', ...scope } = search
  const rows = sorted(times.rows, sort, search)
  const label = t('performance.breakdown')
  return (
    <section className="list" aria-label={label}>
      <div className="row apart">
        <h2>{label}</h2>
        <div className="row">
          <Choices
            className="button secondary"
            button={
              <>
                <Icon name="columns" />
                <span>
                  {t('performance.group', { groups: formatList(group.map((name) => t(`performance.${name}`))) })}
                </span>
              </>
            }
            choices={groupings.map((value) => ({ value, label: t(`performance.${value}`) }))}
            chosen={group}
            onChange={(chosen) => onChange({ group: groupings.filter((name) => chosen.includes(name)) })}
          />
          <Button
            icon="download"
            onClick={() =>
              saveCsv(
                `${slug}-delivery-times.csv`,
                rows.map((row) => csvOf(row, group)),
              )
            }
          >
            {t('performance.csv')}
          </Button>
        </div>
      </div>
      <Table
        label={label}
        columns={columnsFor(slug, scope, group, times.target !== null)}
        rows={rows}
        keyOf={(row) => group.map((name) => labelOf(row, name)).join(' · ')}
        nameOf={(row) => group.map((name) => labelOf(row, name)).join(' · ')}
        sort={sort}
        onSort={(sort) => onChange({ sort: sort === '-delivered' ? undefined : sort })}
      />
      {times.is_truncated && <p className="soft small">{t('performance.truncated', { count: rows.length })}</p>}
    </section>
  )
}

function columnsFor(slug: string, scope: Scope, group: readonly Grouping[], hasTarget: boolean): Column<Row>[] {
  const measure = measureOf(scope)
  const link = (row: Row, outcome?: Outcome) =>
    parcelsOf(slug, { ...scopeOfRow(scope, row, group), ...(outcome ? { outcome } : {}) })
  const failure = (row: Row, count: number, outcome: 'over_target' | 'late' | 'early' | 'window_late'): Failure => ({
    words: t(`performance.count_${outcome}`, { count }),
    count,
    target: link(row, outcome),
  })
  const days = (name: 'median' | 'p90'): Column<Row> => ({
    name,
    label: t(`performance.${name}_column`),
    isNumber: true,
    isSortable: true,
    cell: (row) => {
      const { measured, days } = timesOf(row, measure)
      if (days === null) return '–'
      return (
        <>
          <Link {...link(row)}>{shortDays(days[name])}</Link>
          {measured < minSample && <span className="sample soft">{t('performance.few', { count: measured })}</span>}
        </>
      )
    },
  })
  return [
    ...group.map(
      (name, index): Column<Row> => ({
        name,
        label: t(`performance.${name}`),
        isSortable: true,
        cell: (row) => (index === 0 ? <Link {...link(row)}>{labelOf(row, name)}</Link> : labelOf(row, name)),
      }),
    ),
    {
      name: 'delivered',
      label: t('performance.delivered'),
      isNumber: true,
      isSortable: true,
      cell: (row) => <Link {...link(row)}>{formatNumber(row.delivered)}</Link>,
    },
    days('median'),
    days('p90'),
    ...(hasTarget ? [targetColumn(link, failure)] : []),
    {
      name: 'on_time',
      label: t('performance.on_time'),
      isNumber: true,
      isSortable: true,
      cell: (row) => (
        <RateCell
          rate={row.on_time_rate}
          sample={row.expected}
          target={link(row, 'on_time')}
          failures={[failure(row, row.expected - row.on_time, 'late')]}
        />
      ),
    },
    {
      name: 'held',
      label: t('performance.held'),
      isNumber: true,
      isSortable: true,
      cell: (row) => (
        <RateCell
          rate={row.held_rate}
          sample={row.predicted}
          target={link(row, 'held')}
          failures={[failure(row, row.early, 'early'), failure(row, row.late, 'window_late')]}
        />
      ),
    },
  ]
}

function targetColumn(
  link: (row: Row, outcome: Outcome) => Failure['target'],
  failure: (row: Row, count: number, outcome: 'over_target') => Failure,
): Column<Row> {
  return {
    name: 'target',
    label: t('performance.target'),
    isNumber: true,
    isSortable: true,
    cell: (row) => (
      <RateCell
        rate={row.target?.rate ?? null}
        sample={row.target?.measured ?? 0}
        target={link(row, 'on_target')}
        failures={row.target ? [failure(row, row.target.measured - row.target.met, 'over_target')] : []}
      />
    ),
  }
}

/** All rows are here, so they are sorted here. Those without a value come last, either way. */
function sorted(rows: readonly Row[], sort: string, scope: Scope): Row[] {
  const name = sort.replace('-', '')
  const direction = sort.startsWith('-') ? -1 : 1
  const valueIn = (row: Row): string | number | null => {
    const grouping = groupings.find((one) => one === name)
    if (grouping) return labelOf(row, grouping)
    const { days } = timesOf(row, measureOf(scope))
    if (name === 'median' || name === 'p90') return days?.[name] ?? null
    if (name === 'target') return row.target?.rate ?? null
    if (name === 'on_time') return row.on_time_rate
    return name === 'held' ? row.held_rate : row.delivered
  }
  return rows.toSorted((one, other) => {
    const [left, right] = [valueIn(one), valueIn(other)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const order = typeof left === 'string' ? left.localeCompare(String(right)) : left - Number(right)
    return direction * order
  })
}

interface Failure {
  count: number
  /** "13 late". */
  words: string
  target: MarkTarget
}

interface RateCellProps {
  /** Null: too few parcels. */
  rate: number | null
  sample: number
  target: MarkTarget
  failures: readonly Failure[]
}

/** A rate with its sample, and how many it was not true for. Each number leads to its parcels. */
function RateCell({ rate, sample, target, failures }: RateCellProps) {
  if (sample === 0) return <span className="soft">–</span>
  return (
    <div className="rate-cell">
      {rate === null ? <span className="soft">–</span> : <Link {...target}>{formatShare(rate)}</Link>}
      <span className="sample soft">
        {rate === null ? t('performance.few', { count: sample }) : t('home.of_parcels', { count: sample })}
      </span>
      {failures
        .filter(({ count }) => count > 0)
        .map(({ words, target }) => (
          <Link key={words} {...target} className="sample">
            {words}
          </Link>
        ))}
    </div>
  )
}
