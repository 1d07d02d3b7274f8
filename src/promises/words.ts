import { dayMs, hourMs, minuteMs } from '../platform/foundation/clock.ts'
import { formatTag } from '../platform/foundation/formats.ts'
import type { Language } from '../platform/foundation/languages.ts'
import { fill, textsIn } from '../platform/foundation/texts.ts'
import type english from './texts/en.json'

/** Says promises in one language: "Arrives Wed 18 – Fri 20 Nov if ordered within 3 h 12 min". */
export interface PromiseWords {
  /** "Wed 18 – Fri 20 Nov" */
  days(earliest: string, latest: string): string
  promise(earliest: string, latest: string, msLeft: number): string
}

const folder = new URL('./texts/', import.meta.url)
const known = new Map<Language, PromiseWords>()

export function promiseWords(language: Language): PromiseWords {
  const words = known.get(language) ?? makeWords(language)
  known.set(language, words)
  return words
}

/** The templates of such a sentence, for clients that count down by themselves. */
export function promiseTemplates(language: Language): Record<'promise' | 'days' | 'hours' | 'minutes', string> {
  const { say } = textsIn<keyof typeof english>(folder, language)
  return { promise: say('promise'), days: say('time.days'), hours: say('time.hours'), minutes: say('time.minutes') }
}

function makeWords(language: Language): PromiseWords {
  const texts = textsIn<keyof typeof english>(folder, language)
  const sentence = texts.say('promise')
  const days = daysIn(language)
  return {
    days,
    promise: (earliest, latest, msLeft) =>
      fill(sentence, {
        days: days(earliest, latest),
        time: timeParts(msLeft)
          .map(([unit, count]) => fill(texts.say(`time.${unit}`), { count }))
          .join(' '),
      }),
  }
}

/** The two largest units that matter: nobody needs the minutes of the day after tomorrow. */
function timeParts(msLeft: number): ['days' | 'hours' | 'minutes', number][] {
  const parts: ['days' | 'hours' | 'minutes', number][] = [
    ['days', Math.floor(msLeft / dayMs)],
    ['hours', Math.floor((msLeft % dayMs) / hourMs)],
    ['minutes', Math.floor((msLeft % hourMs) / minuteMs)],
  ]
  const shown = (msLeft >= dayMs ? parts.slice(0, 2) : parts.slice(1)).filter(([, count]) => count > 0)
  return shown.length > 0 ? shown : [['minutes', 1]]
}

const maxRanges = 2_000
const thinSpaces = /[\u2009\u202f\u00a0]/g

/** Formatting a range takes far longer than looking it up, and promises share few of them. */
function daysIn(language: Language): (first: string, last: string) => string {
  const tag = formatTag(language)
  const day = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const start = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })
  const ranges = new Map<string, string>()
  const format = (first: string, last: string) => {
    const [from, to] = [new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)]
    if (first === last) return day.format(from)
    // Ranges of Intl name the month twice in English, and in some languages the year when it changes.
    const isOneMonth = first.slice(0, 7) === last.slice(0, 7)
    if (language === 'en' && isOneMonth) return `${partsOf(start, from, ['weekday', 'day'])} – ${day.format(to)}`
    return isOneMonth ? day.formatRange(from, to) : `${day.format(from)} – ${day.format(to)}`
  }
  return (first, last) => {
    const name = `${first} ${last}`
    const cached = ranges.get(name)
    if (cached !== undefined) return cached
    if (ranges.size >= maxRanges) ranges.clear()
    const text = format(first, last).replaceAll(thinSpaces, ' ')
    ranges.set(name, text)
    return text
  }
}

function partsOf(format: Intl.DateTimeFormat, date: Date, types: string[]): string {
  const parts = format.formatToParts(date)
  return types.map((type) => parts.find((part) => part.type === type)?.value).join(' ')
}
