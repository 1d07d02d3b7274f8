import { formatTag } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'

/** The opening hours of a place from Monday on, with the names of the days. */
export function namedHours(language: Language, hours: readonly [string, string][]): [day: string, times: string][] {
  const inOrder = hours.toSorted(([left], [right]) => dayIndex(left) - dayIndex(right))
  return inOrder.map(([day, times]) => [dayName(language, day), times])
}

const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** jsonb does not preserve the order of fields; keys that are not weekdays come last. */
function dayIndex(day: string): number {
  const index = weekDays.indexOf(day.toLowerCase())
  return index < 0 ? weekDays.length : index
}

/** A weekday in the reader's language; anything else as the carrier wrote it. */
function dayName(language: Language, day: string): string {
  const index = weekDays.indexOf(day.toLowerCase())
  if (index < 0) return day
  // 1 January 2024 was a Monday.
  const format = new Intl.DateTimeFormat(formatTag(language), { weekday: 'long', timeZone: 'UTC' })
  return format.format(new Date(Date.UTC(2024, 0, 1 + index)))
}
