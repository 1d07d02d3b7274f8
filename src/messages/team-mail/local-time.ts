import { dateIn, instantIn } from '../../adapters/carriers/local-time.ts'
import { after, dayMs, hourMs } from '../../platform/foundation/clock.ts'
import type { Language } from '../../platform/foundation/languages.ts'

/** The time zone of shops that have set none: the capital's of the country that their language is mostly spoken in. */
const zoneOfLanguage: Record<Language, string> = {
  cs: 'Europe/Prague',
  da: 'Europe/Copenhagen',
  nl: 'Europe/Amsterdam',
  en: 'Europe/London',
  fi: 'Europe/Helsinki',
  fr: 'Europe/Paris',
  de: 'Europe/Berlin',
  gr: 'Europe/Athens',
  hu: 'Europe/Budapest',
  it: 'Europe/Rome',
  lv: 'Europe/Riga',
  pl: 'Europe/Warsaw',
  pt: 'Europe/Lisbon',
  sk: 'Europe/Bratislava',
  es: 'Europe/Madrid',
  sv: 'Europe/Stockholm',
}

export function timeZoneOf(timeZone: string | null, language: Language): string {
  return timeZone ?? zoneOfLanguage[language]
}

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** 1 is Monday, 7 Sunday. */
export function weekdayOf(date: string): number {
  return ((new Date(`${date}T00:00:00.000Z`).getUTCDay() + 6) % 7) + 1
}

export function addDays(date: string, days: number): string {
  return after(new Date(`${date}T00:00:00.000Z`), days * dayMs)
    .toISOString()
    .slice(0, 10)
}

/** The next time that clocks in a time zone show this hour, after the given instant. */
export function nextTimeAt(zone: string, hour: number, instant: Date): Date {
  const today = dateIn(zone, instant)
  const found = timeAt(zone, today, hour)
  return found > instant ? found : timeAt(zone, addDays(today, 1), hour)
}

/** The instant at which clocks in a time zone show this hour of a date. */
export function timeAt(zone: string, date: string, hour: number): Date {
  return instantIn(zone, Date.parse(`${date}T00:00:00.000Z`) + hour * hourMs)
}
