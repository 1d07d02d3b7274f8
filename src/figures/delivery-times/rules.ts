import { findCarrier } from '../../adapters/carriers/find.ts'
import { after, dayMs } from '../../platform/foundation/clock.ts'
import type { DayTimes, GroupTimes } from '../analytics/day-times.ts'
import { datesOf, dayOf, type ReportPeriod, startOfDay } from '../analytics/period.ts'
import { type DeliveryFilter, type DeliveryTimes, type Grouping, maxRows, type Row, type SetTarget } from './schema.ts'
import { TimesSum } from './times-sum.ts'
import type { WorkingDays } from './working-days.ts'

/** Undefined: any; null: those without one. */
export interface Filter {
  carrier: string | null | undefined
  country: string | null | undefined
  service: string | null | undefined
}

export function filterOf({ carrier, country, service }: DeliveryFilter): Filter {
  const given = (text: string | undefined, read: (text: string) => string) => {
    if (text === undefined) return undefined
    return text === 'none' ? null : read(text)
  }
  return {
    carrier: given(carrier, (reference) => findCarrier(reference)?.reference ?? reference),
    country: given(country, (code) => code.toUpperCase()),
    service: given(service, (name) => name),
  }
}

export function isMatch([carrier, country, service]: GroupTimes, filter: Filter): boolean {
  return (
    (filter.carrier === undefined || filter.carrier === carrier) &&
    (filter.country === undefined || filter.country === country) &&
    (filter.service === undefined || filter.service === service)
  )
}

/** The Monday of the week that a day is in. */
export function weekOf(date: string): string {
  const day = startOfDay(date)
  return dayOf(after(day, -((day.getUTCDay() + 6) % 7) * dayMs))
}

type Key = Pick<Row, 'carrier_reference' | 'country' | 'service' | 'week'>
const noKey: Key = { carrier_reference: null, country: null, service: null, week: null }

interface RowSum {
  key: Key
  sum: TimesSum
}

interface View {
  filter: Filter
  groupBy: Grouping[]
  target: SetTarget | null
  workingDays: WorkingDays
}

/** The table of a period, from the groups of its days. */
export function summarize(
  period: ReportPeriod,
  days: Map<string, DayTimes>,
  given: View,
): Pick<DeliveryTimes, 'total' | 'rows' | 'weeks' | 'is_truncated'> {
  const weeks = new Map<string, TimesSum>()
  const rows = new Map<string, RowSum>()
  // Each week is added up by itself and then merged into rows and weeks: every group of a day is added once.
  for (const [week, dates] of weeksOf(period)) {
    const weekSum = new TimesSum()
    weeks.set(week, weekSum)
    for (const [name, { key, sum }] of addUp(dates, week, days, given)) {
      weekSum.merge(sum)
      const row = rows.get(name)
      if (row) row.sum.merge(sum)
      else rows.set(name, { key, sum })
    }
  }
  const total = new TimesSum()
  for (const week of weeks.values()) total.merge(week)
  const toRow = (key: Key, sum: TimesSum): Row => ({
    ...key,
    carrier_name: nameOf(key.carrier_reference),
    ...sum.toFigures(given.target),
  })
  const isByTime = given.groupBy.every((grouping) => grouping === 'week')
  const sorted = [...rows.values()].sort((left, right) =>
    isByTime ? compare(left.key.week, right.key.week) : right.sum.delivered - left.sum.delivered || byKey(left, right),
  )
  return {
    total: toRow(noKey, total),
    rows: sorted.slice(0, maxRows).map(({ key, sum }) => toRow(key, sum)),
    weeks: [...weeks].map(([week, sum]) => toRow({ ...noKey, week }, sum)),
    is_truncated: sorted.length > maxRows,
  }
}

/** The days of a period by week. */
function weeksOf(period: ReportPeriod): Map<string, string[]> {
  const weeks = new Map<string, string[]>()
  for (const date of datesOf(period)) weeks.set(weekOf(date), [...(weeks.get(weekOf(date)) ?? []), date])
  return weeks
}

/** The rows of a week, by the names of their key. */
function addUp(dates: string[], week: string, days: Map<string, DayTimes>, given: View): Map<string, RowSum> {
  const rows = new Map<string, RowSum>()
  for (const date of dates) {
    const byCountry = new Map<string | null, (calendarDays: number) => number>()
    for (const group of days.get(date) ?? []) {
      if (!isMatch(group, given.filter)) continue
      const key = keyOf(group, week, given.groupBy)
      const name = JSON.stringify([key.carrier_reference, key.country, key.service, key.week])
      const row = rows.get(name) ?? { key, sum: new TimesSum() }
      rows.set(name, row)
      const [, country] = group
      const workingDays = byCountry.get(country) ?? given.workingDays.endingOn(date, country)
      byCountry.set(country, workingDays)
      row.sum.add(group, workingDays)
    }
  }
  return rows
}

export function nameOf(carrierReference: string | null): string | null {
  return (carrierReference && findCarrier(carrierReference)?.name) || null
}

function keyOf([carrier, country, service]: GroupTimes, week: string, groupBy: Grouping[]): Key {
  return {
    carrier_reference: groupBy.includes('carrier') ? carrier : null,
    country: groupBy.includes('country') ? country : null,
    service: groupBy.includes('service') ? service : null,
    week: groupBy.includes('week') ? week : null,
  }
}

function byKey({ key: left }: { key: Key }, { key: right }: { key: Key }): number {
  return (
    compare(left.week, right.week) ||
    compare(left.carrier_reference, right.carrier_reference) ||
    compare(left.country, right.country) ||
    compare(left.service, right.service)
  )
}

function compare(left: string | null, right: string | null): number {
  if (left === right) return 0
  return (left ?? '') < (right ?? '') ? -1 : 1
}
