import { locale } from '../texts/texts.ts'

const formats = new Map<
  string,
  Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.ListFormat | Intl.DisplayNames
>()

/** Formats are made once each: making one takes as long as formatting a hundred values. */
function format<Format>(name: string, make: (locale: string) => Format & object): Format {
  const known = formats.get(name)
  if (known) return known as Format // each name belongs to one kind
  const made = make(locale())
  formats.set(name, made as never)
  return made
}

export function formatNumber(value: number, digits = 0): string {
  return format(`number ${digits}`, (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits })).format(
    value,
  )
}

/** A share between 0 and 1. */
export function formatShare(value: number): string {
  return format('share', (tag) => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })).format(
    value,
  )
}

export function formatMoney(amount: number, currency: string): string {
  try {
    return format(`money ${currency}`, (tag) => new Intl.NumberFormat(tag, { style: 'currency', currency })).format(
      amount,
    )
  } catch {
    return `${formatNumber(amount, 2)} ${currency}` // an order may name a currency that the browser does not know
  }
}

export function formatDate(time: string | Date): string {
  return format('date', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })).format(new Date(time))
}

/** Without the year, for axes and narrow columns. */
export function formatDay(time: string | Date): string {
  return format('day', (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' })).format(new Date(time))
}

export function formatTime(time: string | Date): string {
  return format('time', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })).format(
    new Date(time),
  )
}

/** With seconds and zone: the exact time on hover. */
export function formatExactTime(time: string | Date): string {
  return format('exact', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' })).format(
    new Date(time),
  )
}

export function formatClock(time: string | Date): string {
  return format('clock', (tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'short' })).format(new Date(time))
}

export function formatList(items: readonly string[]): string {
  return format('list', (tag) => new Intl.ListFormat(tag, { type: 'conjunction' })).format(items)
}

export function formatCountry(code: string): string {
  try {
    return format('country', (tag) => new Intl.DisplayNames(tag, { type: 'region' })).of(code.toUpperCase()) ?? code
  } catch {
    return code // not a country code
  }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** "3 hours ago", "in 2 days"; after a week the date says more. */
export function formatRelative(time: string | Date, now = new Date()): string {
  const seconds = (new Date(time).getTime() - now.getTime()) / 1_000
  const size = Math.abs(seconds)
  const words = format('relative', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  if (size < 45) return words.format(0, 'second')
  if (size < hour) return words.format(Math.round(seconds / minute), 'minute')
  if (size < day) return words.format(Math.round(seconds / hour), 'hour')
  if (size < 7 * day) return words.format(Math.round(seconds / day), 'day')
  return formatDate(time)
}

/** "1.2 s", "84 ms": how long a request took. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${formatNumber(milliseconds / 1_000, 1)} s`
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.2 GB": powers of a thousand, as disks are sold. */
export function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** power
  return inUnit(byteUnits[power] ?? 'byte', 'short', value < 10 ? 1 : 0).format(value)
}

/** "12 minutes", "2 hours": how long something takes or has waited. */
export function formatSpan(seconds: number): string {
  if (seconds < minute) return inUnit('second', 'long', seconds < 10 ? 1 : 0).format(seconds)
  if (seconds < hour) return inUnit('minute', 'long', 0).format(Math.round(seconds / minute))
  if (seconds < 2 * day) return inUnit('hour', 'long', seconds < 10 * hour ? 1 : 0).format(seconds / hour)
  return inUnit('day', 'long', 0).format(Math.round(seconds / day))
}

function inUnit(unit: string, unitDisplay: 'short' | 'long', digits: number): Intl.NumberFormat {
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const
  return format(`${unit} ${unitDisplay} ${digits}`, (tag) => new Intl.NumberFormat(tag, options))
}
