/** The days of a promise, such as "Wed 18 – Fri 20 Nov". They are days of the destination, so no time zone matters. */
export function formatDays(tag: string, earliest: string, latest: string): string {
  const format = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const [from, to] = [new Date(earliest), new Date(latest)]
  return earliest === latest ? format.format(from) : format.formatRange(from, to)
}

const minuteMs = 60_000

/** What is left, in the two largest units: "3 hr 12 min". */
export function formatLeft(tag: string, leftMs: number): string {
  const minutes = Math.max(1, Math.floor(leftMs / minuteMs))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  const parts: [number, string][] =
    days > 0
      ? [
          [days, 'day'],
          [hours, 'hour'],
        ]
      : [
          [hours, 'hour'],
          [minutes % 60, 'minute'],
        ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
    .join(' ')
}

/** Until the number of minutes that are left changes. */
export function untilNextMinute(leftMs: number): number {
  return leftMs <= minuteMs ? leftMs : leftMs % minuteMs
}

/** A text with its {placeholder} filled. */
export function fillIn(text: string, name: string, value: string): string {
  return text.split(`{${name}}`).join(value)
}
