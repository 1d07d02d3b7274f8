import { clip } from '../clip.ts'
import { subjectOf } from '../group-words.ts'
import type { Part, Section } from '../parts.ts'
import type { Reading } from '../reading.ts'

/** When the parcel is expected, and where it goes. */
export function windowBlock({ view, texts, limits }: Reading): Section[] {
  const parcel = subjectOf(view)
  if (!parcel?.expected) return []
  const parts: Part[] = [
    { kind: 'heading', text: texts.own.say('block.window.heading') },
    { kind: 'paragraph', text: parcel.expected, tone: 'strong' },
    { kind: 'paragraph', text: texts.own.say('block.window.note'), tone: 'soft' },
  ]
  const { name, street, zip, city, country } = parcel.destination ?? {}
  const lines = [name, street, [zip, city].filter(Boolean).join(' '), country].filter(Boolean)
  // A parcel that waits elsewhere does not go to this address.
  if (parcel.pickup === null && lines.length > 0) {
    const value = clip(lines.join('\n'), limits.text)
    parts.push({ kind: 'facts', facts: [{ label: texts.own.say('block.window.address'), value }] })
  }
  return [{ ground: 'card', parts }]
}
