import type { MailPromise } from '../../customer-mail/view.ts'
import { subjectOf } from '../group-words.ts'
import type { Part, Section } from '../parts.ts'
import { clip, type Reading } from '../reading.ts'
import type { MailTexts } from '../texts.ts'

/** The time the parcel is expected, the promise, and its destination. */
export function windowBlock({ view, texts, limits }: Reading): Section[] {
  const parcel = subjectOf(view)
  if (parcel === undefined || parcel.isReturn) return []
  const parts = partsOf(parcel.expected, view.promise, texts)
  if (parts.length === 0) return []
  const { name, street, zip, city, country } = parcel.destination ?? {}
  const lines = [name, street, [zip, city].filter(Boolean).join(' '), country].filter(Boolean)
  // A parcel that waits elsewhere does not go to this address.
  if (parcel.pickup === null && lines.length > 0) {
    const value = clip(lines.join('\n'), limits.text)
    parts.push({ kind: 'facts', facts: [{ label: texts.own.say('block.window.address'), value }] })
  }
  return [{ ground: 'card', parts }]
}

/** The newest estimate, and beside it what was promised; the promise alone if there is no estimate. */
function partsOf(expected: string | null, promise: MailPromise | null, { own, page }: MailTexts): Part[] {
  const promised = promise === null ? undefined : page.say(promiseKeys[promise.stage], { day: promise.by })
  if (expected !== null) {
    return [
      { kind: 'heading', text: own.say('block.window.heading') },
      { kind: 'paragraph', text: expected, tone: 'strong' },
      ...(promised === undefined ? [] : [{ kind: 'paragraph', text: promised } as const]),
      { kind: 'paragraph', text: own.say('block.window.note'), tone: 'soft' },
    ]
  }
  if (promise === null || promised === undefined) return []
  return [
    { kind: 'heading', text: own.say('block.window.promised') },
    { kind: 'paragraph', text: promise.days, tone: 'strong' },
    ...(promise.stage === 'open' ? [] : [{ kind: 'paragraph', text: promised } as const]),
  ]
}

const promiseKeys = { open: 'promise.by', at_risk: 'promise.at_risk', late: 'promise.late' } as const
