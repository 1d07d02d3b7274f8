import { minuteMs, secondMs } from '../../platform/foundation/clock.ts'

export interface ReadTime {
  time: Date
  /** The offset of the time, or the time zone that it was read in. */
  timezone: string
  /** The date as written. */
  date: string
  /** True for a date without a time, or with midnight. */
  isDay: boolean
  /** True if a time was given, even midnight. */
  hasTime: boolean
}

export interface TimeWindow {
  start: string
  end: string
}

/** Reads an ISO 8601 time. One without an offset is in the time zone of its place. */
export function readTime(text: string | undefined, zone: string): ReadTime | undefined {
  const [, date, clock, offset] = isoTime.exec(text?.trim() ?? '') ?? []
  if (date === undefined) return undefined
  const local = Date.parse(`${date}T${clock ?? '00:00:00'}Z`)
  if (Number.isNaN(local)) return undefined
  const timezone = offset === undefined ? zone : offset.toUpperCase() === 'Z' ? '+00:00' : withColon(offset)
  const hasTime = clock !== undefined
  return { time: instantIn(timezone, local), timezone, date, hasTime, isDay: !hasTime || midnight.test(clock) }
}

/** A whole day in a time zone. */
export function dayIn(zone: string, date: string): TimeWindow | undefined {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight)) return undefined
  const next = instantIn(zone, midnight + 24 * 60 * minuteMs).getTime()
  return { start: instantIn(zone, midnight).toISOString(), end: new Date(next - 1).toISOString() }
}

/** The date of an instant in a time zone. */
export function dateIn(zone: string, instant: Date): string {
  return new Date(localTimeIn(zone, instant)).toISOString().slice(0, 10)
}

/** The local time in a time zone at an instant, as if it were in UTC. */
export function localTimeIn(zone: string, instant: Date): number {
  return instant.getTime() + offsetAt(zone, instant.getTime())
}

/**
 * The delivery window from what a provider sends: two times, one latest time, or dates. A single time means that day
 * until then. Midnight stands for the whole day, because providers write dates that way; only after a time of the
 * previous day does it mean the end of that day. Unreadable values are skipped.
 */
export function windowOf(zone: string, from: string | undefined, until: string | undefined): TimeWindow | undefined {
  const last = readTime(until ?? from, zone)
  if (last === undefined) return undefined
  const given = until === undefined ? undefined : readTime(from, zone)
  const endsAtMidnight = last.isDay && last.hasTime && given !== undefined && !given.isDay && given.time < last.time
  const start = given && !given.isDay ? given.time.toISOString() : firstMomentOf(zone, given ?? last)
  const end = last.isDay && !endsAtMidnight ? dayIn(zone, last.date)?.end : last.time.toISOString()
  return start === undefined || end === undefined || start > end ? undefined : { start, end }
}

/** The date as written if it had no time, else the local date. */
function firstMomentOf(zone: string, { isDay, date, time }: ReadTime): string | undefined {
  return dayIn(zone, isDay ? date : dateIn(zone, time))?.start
}

const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

const midnight = /^00:00(?::00(?:\.0+)?)?$/

function withColon(offset: string): string {
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
}

/** The instant at which clocks in a time zone show the time that `local` has in UTC. */
export function instantIn(zone: string, local: number): Date {
  // The offset of a nearby instant is right except close to a clock change; a second pass corrects that.
  const near = local - offsetAt(zone, local)
  return new Date(local - offsetAt(zone, near))
}

/** The offset of a time zone from UTC in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const fixed = /^([+-])(\d{2}):(\d{2})$/.exec(zone)
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * minuteMs
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / secondMs) * secondMs
}

/** Creating a formatter costs far more than using it, and there is one per time zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
