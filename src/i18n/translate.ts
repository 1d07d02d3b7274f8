import { readFileSync } from 'node:fs'
import type { Language } from '../foundation/languages.ts'

/** The words for one event in one language, as the API shows them. */
export interface EventStrings {
  event_status: string
  list_label: string
  header_headline: string
  header_title: string
  header_subtitle: string
}

export interface Messages {
  /** The line in the timeline, by event name. */
  events: Record<string, string>
  /** What the header says, by situation; many events share one. */
  situations: Record<string, { status: string; headline: string; title: string; subtitle: string }>
}

const loaded = new Map<Language, Messages>()
const situations = readSituations()

export function eventStrings(
  language: Language,
  eventName: string,
  options: { isReturn: boolean; shopName: string },
): EventStrings {
  const messages = messagesOf(language)
  const situation = situations.get(eventName)
  const words = messages.situations[(options.isReturn ? situation?.return : situation?.outbound) ?? '']
  const fill = (text: string | undefined) => (text ?? '').replaceAll('{shop}', () => options.shopName)
  return {
    event_status: fill(words?.status),
    list_label: fill(messages.events[eventName]),
    header_headline: fill(words?.headline),
    header_title: fill(words?.title),
    header_subtitle: fill(words?.subtitle),
  }
}

export function messagesOf(language: Language): Messages {
  const known = loaded.get(language)
  if (known) return known
  const text = readFileSync(new URL(`./messages/${language}.json`, import.meta.url), 'utf8')
  const messages = JSON.parse(text) as Messages // ours; a test holds every language to the same keys
  loaded.set(language, messages)
  return messages
}

/** Which situation each event puts a parcel in, on its way to the customer and on its way back. */
export function readSituations(): Map<string, { outbound: string; return: string }> {
  const [, ...lines] = readFileSync(new URL('./situations.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', outbound = '', back = ''] = line.trim().split(',')
      return [name, { outbound, return: back }]
    }),
  )
}
