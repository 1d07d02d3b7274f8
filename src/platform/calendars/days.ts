/** A day as a number: days since 1970-01-01. Sums and differences of days need no time zone. */
export type Day = number

const dayMs = 86_400_000

export function dayOf(date: string): Day {
  return dayAt(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)))
}

export function dayAt(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth) / dayMs
}

export function dateOf(day: Day): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  if (dates.size >= maxDates) dates.clear()
  dates.set(day, date)
  return date
}

/** Promises format the same few days over and over, and formatting one takes longer than finding it here. */
const dates = new Map<Day, string>()
const maxDates = 4_000

/** Monday is 1, Sunday 7. */
export function isoWeekday(day: Day): number {
  // 1970-01-01 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1
}
