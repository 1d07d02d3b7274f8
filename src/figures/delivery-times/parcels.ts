import { dayMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { type DayTimes, type GroupTimes, maxJourneyDays } from '../analytics/day-times.ts'
import { datesOf, dayOf, endOfDay, type ReportPeriod, startOfDay } from '../analytics/period.ts'
import { examineDeliveries, type ParcelRow, type Position } from './parcels-store.ts'
import { type Filter, isMatch, nameOf } from './rules.ts'
import type { DeliveredParcel, DeliveryOutcome, SetTarget } from './schema.ts'
import { TimesSum } from './times-sum.ts'
import type { WorkingDays } from './working-days.ts'

/** How many deliveries a request examines at most, and how many each of its statements does, from the first. */
const maxExamined = 10_000
const batches = [250, 1_000, 4_000]

export interface ParcelSearch {
  period: ReportPeriod
  filter: Filter
  outcome: DeliveryOutcome
  target: SetTarget | null
  workingDays: WorkingDays
}

/** How many parcels have the outcome, and the days on which some of them may have been delivered. */
export function countParcels(
  days: Map<string, DayTimes>,
  { period, filter, outcome, target, workingDays }: ParcelSearch,
): { total: number; dates: string[] } {
  let total = 0
  const dates = datesOf(period).filter((date) => {
    const groups = days.get(date) ?? []
    const matches = new TimesSum()
    for (const group of groups) {
      if (isMatch(group, filter)) matches.add(group, workingDays.endingOn(date, group[1]))
    }
    const count = matches.countOf(outcome, target)
    total += count
    return count > 0 || groups.some(isUnnamed)
  })
  return { total, dates }
}

/** Whether it may contain parcels of groups that the day had no capacity for. */
function isUnnamed([carrier, country, service]: GroupTimes): boolean {
  return carrier === null && country === null && service === null
}

/**
 * A page of parcels, newest delivery first. Only days that have some are examined. Filters have no index of their own: when
 * a request has examined its share, it returns what it has found, and the next one continues there.
 */
export async function listParcels(
  context: ShopContext,
  search: ParcelSearch,
  dates: string[],
  { perPage, cursor }: { perPage: number; cursor: Position | undefined },
): Promise<{ parcels: DeliveredParcel[]; next: Position | undefined }> {
  const parcels: DeliveredParcel[] = []
  let [remaining, statements, before] = [maxExamined, 0, cursor]
  for (const range of rangesOf(dates)) {
    if (before && Number(before.micros) / 1_000 < range.from.getTime()) continue
    for (let isDone = false; !isDone; ) {
      const limit = batches.slice(0, statements + 1).findLast((size) => size <= remaining)
      if (limit === undefined) return { parcels, next: before }
      const found = await examineDeliveries(context, { ...range, before }, search.filter, limit)
      for (const row of found.parcels) {
        const parcel = toParcel(row, search)
        if (!hasOutcome(parcel, search.outcome)) continue
        // One more than the page has: there is a next page, which begins after the last one of this page.
        if (parcels.length === perPage) return { parcels, next: before }
        parcels.push(parcel)
        before = row
      }
      before = found.last ?? before
      remaining -= found.examined
      isDone = found.examined < limit
      statements += 1
    }
  }
  return { parcels, next: undefined }
}

/** Days in a row are one range of the index; the newest first. */
function rangesOf(dates: string[]): { from: Date; until: Date }[] {
  const ranges: { from: Date; until: Date }[] = []
  for (const date of dates.toReversed()) {
    const range = ranges.at(-1)
    if (range && range.from.getTime() === endOfDay(date).getTime()) range.from = startOfDay(date)
    else ranges.push({ from: startOfDay(date), until: endOfDay(date) })
  }
  return ranges
}

function hasOutcome(parcel: DeliveredParcel, outcome: DeliveryOutcome): boolean {
  return {
    all: true,
    on_target: parcel.on_target === true,
    over_target: parcel.on_target === false,
    on_time: parcel.on_time === true,
    late: parcel.on_time === false,
    held: parcel.held === true,
    early: parcel.early === true,
    window_late: parcel.window_late === true,
  }[outcome]
}

function toParcel(row: ParcelRow, { target, workingDays }: ParcelSearch): DeliveredParcel {
  const { deliveredAt, predictedFrom, predictedTo } = row
  const businessDays = workingDays.endingOn(dayOf(deliveredAt), row.country)
  const daysSince = (start: Date | null) => {
    if (start === null || deliveredAt < start) return null
    const days = Math.min(maxJourneyDays, Math.round((dayStart(deliveredAt) - dayStart(start)) / dayMs))
    return { business: businessDays(days), calendar: days }
  }
  const since = { placed: daysSince(row.orderPlacedAt), fulfilled: daysSince(row.fulfilledAt) }
  const measured = target && since[target.since]
  const isPredicted = predictedFrom !== null && predictedTo !== null && deliveredAt >= row.placedAt
  return {
    shipment_id: row.id,
    order_id: row.orderId,
    order_number: row.orderNumber,
    tracking_number: row.trackingNumber,
    carrier_reference: row.carrier,
    carrier_name: nameOf(row.carrier),
    country: row.country,
    service: row.service,
    placed_at: row.orderPlacedAt.toISOString(),
    fulfilled_at: row.fulfilledAt?.toISOString() ?? null,
    delivered_at: deliveredAt.toISOString(),
    since_placed: since.placed,
    since_fulfilled: since.fulfilled,
    expected_by: row.expectedBy?.toISOString() ?? null,
    predicted_from: predictedFrom?.toISOString() ?? null,
    predicted_to: predictedTo?.toISOString() ?? null,
    on_target: target && measured ? measured[target.unit] <= target.days : null,
    on_time: row.expectedBy && deliveredAt <= row.expectedBy,
    held: isPredicted ? deliveredAt >= predictedFrom && deliveredAt <= predictedTo : null,
    early: isPredicted ? deliveredAt < predictedFrom : null,
    window_late: isPredicted ? deliveredAt > predictedTo : null,
  }
}

function dayStart(instant: Date): number {
  return startOfDay(dayOf(instant)).getTime()
}

const cursorPattern = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export function parseCursor(text: string | undefined): Position | undefined {
  if (text === undefined || text === '') return undefined
  const [, micros, id] = cursorPattern.exec(text) ?? []
  if (micros === undefined || id === undefined) throw invalid(['query', 'cursor'], 'must be the next_cursor of a page')
  return { micros, id }
}

export function toCursor({ micros, id }: Position): string {
  return `${micros}-${id}`
}
