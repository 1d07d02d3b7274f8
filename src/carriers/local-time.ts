import { minuteMs, secondMs } from '../foundation/clock.ts'

export interface ReadTime {
  time: Date
  /** The offset that the time came with, or the time zone that it was read in. */
  timezone: string
  /** It was a day without a time: its first moment. */
  isDay: boolean
}

export interface TimeWindow {
  start: string
  end: string
}

/** Reads an ISO 8601 time: with an offset as it stands, without one in the time zone of its place. */
export function readTime(text: string | undefined, zone: string): ReadTime | undefined {
  const [, date, clock, offset] = isoTime.exec(text?.trim() ?? '') ?? []
  if (date === undefined) return undefined
  const local = Date.parse(`${date}T${clock ?? '00:00:00'}Z`)
  if (Number.isNaN(local)) return undefined
  const timezone = offset === undefined ? zone : offset.toUpperCase() === 'Z' ? '+00:00' : withColon(offset)
  return { time: instantIn(timezone, local), timezone, isDay: clock === undefined }
}

/** A day, from its first to its last moment in a time zone. */
export function dayIn(zone: string, date: string): TimeWindow | undefined {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight)) return undefined
  const next = instantIn(zone, midnight + 24 * 60 * minuteMs).getTime()
  return { start: instantIn(zone, midnight).toISOString(), end: new Date(next - 1).toISOString() }
}

/** The day that an instant falls on in a time zone. */
export function dateIn(zone: string, instant: Date): string {
  return new Date(instant.getTime() + offsetAt(zone, instant.getTime())).toISOString().slice(0, 10)
}

/**
 * The window of an expected delivery from what a provider gives: two times, one by which the parcel is there, or days.
 * A single time means the day until then; what cannot be read is left out.
 */
export function windowOf(zone: string, from: string | undefined, until: string | undefined): TimeWindow | undefined {
  const last = readTime(until ?? from, zone)
  if (last === undefined) return undefined
  const first = (until === undefined ? undefined : readTime(from, zone)) ?? { ...last, isDay: true }
  const start = first.isDay ? dayIn(zone, dateIn(zone, first.time))?.start : first.time.toISOString()
  const end = last.isDay ? dayIn(zone, dateIn(zone, last.time))?.end : last.time.toISOString()
  return start === undefined || end === undefined || start > end ? undefined : { start, end }
}

const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

function withColon(offset: string): string {
  return offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
}

/** The instant at which clocks of a time zone show the time that `local` would be in UTC. */
function instantIn(zone: string, local: number): Date {
  // The offset of a moment nearby is the right one, save within hours of a change: a second look settles that.
  const near = local - offsetAt(zone, local)
  return new Date(local - offsetAt(zone, near))
}

/** Milliseconds that clocks of a time zone are ahead of UTC. */
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

/** Making one costs far more than using it, and there are as many as there are time zones. */
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
