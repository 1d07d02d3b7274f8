import { type Language, languageTag } from './languages.ts'

/** The locale for dates, times and money: the European variant of languages that have several. */
export function formatTag(language: Language): string {
  if (language === 'en') return 'en-GB'
  return language === 'pt' ? 'pt-PT' : languageTag(language)
}

/** Formats dates, times and money in a language and a time zone. */
export interface Formats {
  /** "Tuesday, 3 November" */
  day(instant: Date): string
  /** "3 – 5 November", or a single day if both are on it. */
  days(from: Date, to: Date): string
  /** "14:30" */
  time(instant: Date): string
  /** 2026-11-03: a key for grouping by day. */
  dayKey(instant: Date): string
}

const known = new Map<string, Formats>()
const maxKnown = 500

/** Creating a formatter costs far more than using it, so they are cached. */
export function formatsFor(language: Language, timeZone: string): Formats {
  const name = `${language} ${timeZone}`
  const cached = known.get(name)
  if (cached) return cached
  if (known.size >= maxKnown) known.clear()
  const made = makeFormats(formatTag(language), timeZone)
  known.set(name, made)
  return made
}

function makeFormats(tag: string, timeZone: string): Formats {
  const day = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone })
  const time = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone })
  const key = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  return {
    day: (instant) => day.format(instant),
    days: (from, to) => day.formatRange(from, to),
    time: (instant) => time.format(instant),
    dayKey: (instant) => key.format(instant),
  }
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

export function money(language: Language, amount: number, currency: string): string {
  const name = `${language} ${currency}`
  let format = moneyFormats.get(name)
  if (format === undefined) {
    format = new Intl.NumberFormat(formatTag(language), { style: 'currency', currency })
    if (moneyFormats.size >= maxKnown) moneyFormats.clear()
    moneyFormats.set(name, format)
  }
  return format.format(amount)
}

const zones = new Map<string, boolean>()

/** Whether Intl knows the time zone: carriers also send other values. */
export function isTimeZone(text: string): boolean {
  const known = zones.get(text)
  if (known !== undefined) return known
  let isZone = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
  } catch {
    isZone = false
  }
  if (zones.size >= maxKnown) zones.clear()
  zones.set(text, isZone)
  return isZone
}
