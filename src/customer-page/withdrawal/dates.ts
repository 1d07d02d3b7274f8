import { formatTag } from '../../platform/foundation/formats.ts'
import type { Language } from '../../platform/foundation/languages.ts'

/** "17 November 2026", for a date without a time. */
export function dateWords(language: Language, date: string): string {
  return new Intl.DateTimeFormat(formatTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
}

/** The date of an instant in a time zone: "17 November 2026". */
export function dayWords(language: Language, instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(formatTag(language), { dateStyle: 'long', timeZone }).format(instant)
}

/** The exact time with its time zone: "17 November 2026 at 15:04:05 CET". */
export function exactTime(language: Language, instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat(formatTag(language), { dateStyle: 'long', timeStyle: 'long', timeZone })
  return format.format(instant)
}
