import { subjectOf } from '../group-words.ts'
import type { Fact, Part, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

const headings = {
  shop: 'pickup.shop',
  locker: 'pickup.locker',
  neighbor: 'pickup.neighbor',
  letterbox: 'pickup.letterbox',
} as const

/** The place where the parcel can be collected, the last day, and the opening hours. */
export function pickupBlock({ view, texts, limits }: Reading): Section[] {
  const pickup = subjectOf(view)?.pickup
  if (!pickup) return []
  const { name, address, until, type, hours } = pickup
  const facts: Fact[] = []
  if (address !== null) facts.push({ label: texts.own.say('block.pickup.where'), value: clip(address, limits.text) })
  if (until !== null) facts.push({ label: texts.own.say('block.pickup.until'), value: until })
  if (hours.length > 0) {
    const value = hours.map(([day, times]) => `${clip(day, 40)}: ${clip(times, 80)}`).join('\n')
    facts.push({ label: texts.page.say('pickup.hours'), value })
  }
  if (name === null && facts.length === 0) return []
  const url = linkOf(pickup.url)
  const heading = type in headings ? headings[type as keyof typeof headings] : headings.shop
  const parts: Part[] = [{ kind: 'heading', text: texts.page.say(heading) }]
  if (name !== null) parts.push({ kind: 'paragraph', text: clip(name, limits.title), tone: 'strong' })
  if (facts.length > 0) parts.push({ kind: 'facts', facts })
  if (url !== undefined) parts.push({ kind: 'links', links: [{ label: texts.page.say('pickup.details'), url }] })
  return [{ ground: 'card', parts }]
}
