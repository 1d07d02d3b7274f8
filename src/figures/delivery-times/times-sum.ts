import type { GroupTimes } from '../analytics/day-times.ts'
import { type Histogram, round } from '../analytics/numbers.ts'
import { type DeliveryOutcome, minSample, type Row, type SetTarget, type Times } from './schema.ts'

/** Counts by number of days: the value at index 2 is how many took two days. */
type DayCounts = number[]

/** The sum of groups of deliveries. */
export class TimesSum {
  private readonly counts = [0, 0, 0, 0, 0, 0, 0]
  private readonly days = {
    placed: { business: [] as DayCounts, calendar: [] as DayCounts },
    fulfilled: { business: [] as DayCounts, calendar: [] as DayCounts },
  }

  get delivered(): number {
    return this.counts[0] ?? 0
  }

  add([, , , counts, placed, fulfilled]: GroupTimes, workingDays: (calendarDays: number) => number): void {
    this.addCounts(counts)
    this.addDays('placed', placed, workingDays)
    this.addDays('fulfilled', fulfilled, workingDays)
  }

  merge(other: TimesSum): void {
    this.addCounts(other.counts)
    for (const since of ['placed', 'fulfilled'] as const) {
      for (const unit of ['business', 'calendar'] as const) {
        for (const [days, count] of other.days[since][unit].entries()) increase(this.days[since][unit], days, count)
      }
    }
  }

  toFigures(
    target: SetTarget | null,
  ): Omit<Row, 'carrier_reference' | 'carrier_name' | 'country' | 'service' | 'week'> {
    const [delivered = 0, expected = 0, on_time = 0, predicted = 0, early = 0, held = 0, late = 0] = this.counts
    return {
      delivered,
      since_placed: this.timesSince('placed'),
      since_fulfilled: this.timesSince('fulfilled'),
      target: target && this.against(target),
      expected,
      on_time,
      on_time_rate: rateOf(on_time, expected),
      predicted,
      held,
      early,
      late,
      held_rate: rateOf(held, predicted),
    }
  }

  /** How many parcels had this outcome. */
  countOf(outcome: DeliveryOutcome, target: SetTarget | null): number {
    const [delivered = 0, expected = 0, onTime = 0, , early = 0, held = 0, late = 0] = this.counts
    const { measured, met } = target ? this.against(target) : { measured: 0, met: 0 }
    return {
      all: delivered,
      on_target: met,
      over_target: measured - met,
      on_time: onTime,
      late: expected - onTime,
      held,
      early,
      window_late: late,
    }[outcome]
  }

  private addCounts(counts: readonly number[]): void {
    for (let index = 0; index < counts.length; index += 1) {
      this.counts[index] = (this.counts[index] ?? 0) + (counts[index] ?? 0)
    }
  }

  private addDays(since: 'placed' | 'fulfilled', histogram: Histogram, workingDays: (days: number) => number): void {
    const { business, calendar } = this.days[since]
    for (const [days, count] of histogram) {
      increase(calendar, days, count)
      increase(business, workingDays(days), count)
    }
  }

  private timesSince(since: 'placed' | 'fulfilled'): Times {
    const { business, calendar } = this.days[since]
    return { measured: sum(calendar), business: quantilesOf(business), calendar: quantilesOf(calendar) }
  }

  private against({ days, unit, since }: SetTarget) {
    const counts = this.days[since][unit]
    const [measured, met] = [sum(counts), sum(counts.slice(0, days + 1))]
    return { measured, met, rate: rateOf(met, measured) }
  }
}

/** Every index has a value: an array with holes is many times slower. */
function increase(counts: DayCounts, days: number, count: number): void {
  while (counts.length <= days) counts.push(0)
  counts[days] = (counts[days] ?? 0) + count
}

function sum(counts: DayCounts): number {
  return counts.reduce((total, count) => total + count, 0)
}

function rateOf(count: number, sample: number): number | null {
  return sample < minSample ? null : round(count / sample, 3)
}

function quantilesOf(counts: DayCounts): Times['business'] {
  const total = sum(counts)
  return total === 0 ? null : { median: quantileOf(counts, total, 0.5), p90: quantileOf(counts, total, 0.9) }
}

/** Interpolated between the two nearest values, as other figures are. */
function quantileOf(counts: DayCounts, total: number, share: number): number {
  const position = share * (total - 1)
  const [below, above] = [daysAt(counts, Math.floor(position)), daysAt(counts, Math.ceil(position))]
  return round(below + (above - below) * (position - Math.floor(position)), 2)
}

/** The value at an index of the sorted list that the counts stand for. */
function daysAt(counts: DayCounts, index: number): number {
  let passed = 0
  for (const [days, count] of counts.entries()) {
    passed += count
    if (passed > index) return days
  }
  return 0
}
