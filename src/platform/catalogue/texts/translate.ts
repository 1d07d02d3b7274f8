import { readFileSync } from 'node:fs'
import type { Language } from '../../foundation/languages.ts'

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
  /** Texts of the header, by situation; many events share one. */
  situations: Record<string, { status: string; headline: string; title: string; subtitle: string }>
}

const loaded = new Map<Language, Messages>()
const situations = readSituations()

export function eventStrings(
  language: Language,
  eventName: string,
  options: { isReturn: boolean; shopName: string },
): EventStrings {
  const key = `${language} ${options.isReturn} ${eventName}`
  let template = templates.get(key)
  if (template === undefined) {
    template = templateOf(language, eventName, options.isReturn)
    templates.set(key, template)
  }
  if (!template.namesShop) return template.strings
  const fill = (text: string) => text.replaceAll('{shop}', () => options.shopName)
  const { event_status, list_label, header_headline, header_title, header_subtitle } = template.strings
  return {
    event_status: fill(event_status),
    list_label: fill(list_label),
    header_headline: fill(header_headline),
    header_title: fill(header_title),
    header_subtitle: fill(header_subtitle),
  }
}

interface Template {
  strings: Readonly<EventStrings>
  /** Whether the shop's name is to be filled in. */
  namesShop: boolean
}

/** At most one entry per event, direction and language in use. */
const templates = new Map<string, Template>()

function templateOf(language: Language, eventName: string, isReturn: boolean): Template {
  const messages = messagesOf(language)
  const situation = situations.get(eventName)
  const words = messages.situations[(isReturn ? situation?.return : situation?.outbound) ?? '']
  const strings = {
    event_status: words?.status ?? '',
    list_label: messages.events[eventName] ?? '',
    header_headline: words?.headline ?? '',
    header_title: words?.title ?? '',
    header_subtitle: words?.subtitle ?? '',
  }
  return { strings: Object.freeze(strings), namesShop: Object.values(strings).some((text) => text.includes('{shop}')) }
}

export function messagesOf(language: Language): Messages {
  const known = loaded.get(language)
  if (known) return known
  const text = readFileSync(new URL(`./messages/${language}.json`, import.meta.url), 'utf8')
  const messages = JSON.parse(text) as Messages // ours; a test holds every language to the same keys
  loaded.set(language, messages)
  return messages
}

/** The situation that each event puts a parcel in, on its way to the customer and on its way back. */
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
