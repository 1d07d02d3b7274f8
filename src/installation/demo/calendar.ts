import { after, dayMs, hourMs, minuteMs } from '../../platform/foundation/clock.ts'

/** By this time the morning's scans are over: the latest of the demo is at 08:15. */
const morningIsOverMs = 8.5 * hourMs
const sunday = 0

/**
 * The working day (Monday to Saturday, midnight UTC) this many working days before the latest one whose morning is
 * over. Demo parcels move on working days, whenever the demo is created.
 */
export function workingDay(now: Date, daysAgo: number): Date {
  let day = startOfDay(after(now, -morningIsOverMs))
  if (isSunday(day)) day = after(day, -dayMs)
  return addWorkingDays(day, -daysAgo)
}

export function addWorkingDays(day: Date, days: number): Date {
  const step = days < 0 ? -1 : 1
  let weekday = day.getUTCDay()
  let passed = 0
  const next = () => {
    weekday = (weekday + step + 7) % 7
    passed += step
  }
  for (let left = Math.abs(days); left > 0; left -= 1) {
    next()
    if (weekday === sunday) next()
  }
  return after(day, passed * dayMs)
}

/** `08:10` local time of a place, on that day. */
export function atTime(day: Date, time: string, utcOffsetHours: number): Date {
  const [hours, minutes] = time.split(':').map(Number)
  return after(day, ((hours ?? 0) - utcOffsetHours) * hourMs + (minutes ?? 0) * minuteMs)
}

function startOfDay(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()))
}

function isSunday(day: Date): boolean {
  return day.getUTCDay() === sunday
}
