import type { Settings } from './service.ts'

/** The days of a promise, such as "Wed 18 – Fri 20 Nov". They are days of the destination, so no time zone matters. */
export function formatDays({ language, language_tag: tag }: Settings, earliest: string, latest: string): string {
  const day = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const [from, to] = [new Date(earliest), new Date(latest)]
  if (earliest === latest) return day.format(from)
  const isOneMonth = earliest.slice(0, 7) === latest.slice(0, 7)
  // Intl names the month twice in English, and in some languages the year at its turn.
  if (language === 'en' && isOneMonth) return `${withoutMonth(day.formatToParts(from))} – ${day.format(to)}`
  return isOneMonth ? day.formatRange(from, to) : `${day.format(from)} – ${day.format(to)}`
}

function withoutMonth(parts: Intl.DateTimeFormatPart[]): string {
  const kept = parts.filter(({ type }) => type === 'weekday' || type === 'day')
  return kept.map(({ value }) => value).join(' ')
}

const minuteMs = 60_000

/** What is left, in the two largest units: "3 h 12 min". */
export function formatLeft({ texts }: Settings, leftMs: number): string {
  const minutes = Math.floor(leftMs / minuteMs)
  const parts: [text: string, count: number][] = [
    [texts.days, Math.floor(minutes / 1440)],
    [texts.hours, Math.floor(minutes / 60) % 24],
    [texts.minutes, minutes % 60],
  ]
  const shown = (minutes >= 1440 ? parts.slice(0, 2) : parts.slice(1)).filter(([, count]) => count > 0)
  // Spaces that keep a number and its unit on one line.
  return (shown.length > 0 ? shown : [[texts.minutes, 1] as const])
    .map(([text, count]) => text.replace('{count}', String(count)).replaceAll(' ', '\u00a0'))
    .join(' ')
}

/** Until the number of minutes that are left changes. */
export function untilNextMinute(leftMs: number): number {
  return leftMs <= minuteMs ? leftMs : (leftMs % minuteMs) + 1
}

/** A text with nodes in the place of its {placeholders}. */
export function fillIn(text: string, values: Readonly<Record<string, Node>>): (Node | string)[] {
  return text.split(/(\{\w+\})/).map((part) => values[part] ?? part)
}
