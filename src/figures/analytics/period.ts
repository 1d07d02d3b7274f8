import { after, dayMs } from '../../platform/foundation/clock.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { defaultDays, maxDays, type SummaryQuery } from './schema.ts'

/** Whole days in UTC, both inclusive. */
export interface ReportPeriod {
  firstDay: string
  lastDay: string
}

export function periodOf(query: Pick<SummaryQuery, 'from' | 'to'>, now: Date): ReportPeriod {
  const last = startOfDay(query.to ?? dayOf(now))
  const first = query.from === undefined ? after(last, -(defaultDays - 1) * dayMs) : startOfDay(query.from)
  if (last < first) throw invalid(['query', 'to'], 'must not be before from')
  if (first.getTime() < 0) throw invalid(['query', query.from === undefined ? 'to' : 'from'], 'must not be before 1970')
  if (last.getTime() - first.getTime() >= maxDays * dayMs) {
    throw invalid(['query', 'from'], `must be at most ${maxDays} days before the end of to`)
  }
  return { firstDay: dayOf(first), lastDay: dayOf(last) }
}

/** The period of the same length that ends on the day before. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  const lengthMs = endOfDay(period.lastDay).getTime() - startOfDay(period.firstDay).getTime()
  const first = startOfDay(period.firstDay)
  return { firstDay: dayOf(after(first, -lengthMs)), lastDay: dayOf(after(first, -dayMs)) }
}

export function datesOf({ firstDay, lastDay }: ReportPeriod): string[] {
  const dates: string[] = []
  const last = startOfDay(lastDay)
  for (let day = startOfDay(firstDay); day <= last; day = after(day, dayMs)) dates.push(dayOf(day))
  return dates
}

export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

export function startOfDay(date: string): Date {
  return new Date(`${date}T00:00:00.000Z`)
}

export function endOfDay(date: string): Date {
  return after(startOfDay(date), dayMs)
}
