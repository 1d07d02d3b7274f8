import type { MailClaim } from '../../customer-mail/view.ts'
import type { Fact, Part, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

/** The customer's report and what became of it, or the receipt of a withdrawal. */
export function claimBlock(reading: Reading): Section[] {
  const { claim } = reading.view
  if (claim === null) return []
  return [{ ground: 'tint', parts: claim.kind === 'withdrawal' ? receipt(reading, claim) : report(reading, claim) }]
}

function report(reading: Reading, claim: MailClaim): Part[] {
  const { view, texts, limits } = reading
  const facts: Fact[] = [
    {
      label: texts.own.say('claim.about'),
      value: texts.claim.find(`reason.${claim.reason}`) ?? clip(claim.reason, 200),
    },
    ...itemFacts(reading, claim, 'claim.items'),
    { label: texts.own.say('claim.number'), value: claim.number },
    { label: texts.own.say('claim.received'), value: claim.receivedAt },
  ]
  const next = texts.claim.find(`status.${claim.statusKey}`)
  const parts: Part[] = [
    { kind: 'heading', text: texts.own.say('claim.heading') },
    {
      kind: 'status',
      status: texts.claim.find(`status.${claim.status}`) ?? clip(claim.status, 200),
      tone: claim.status === 'rejected' ? 'wrong' : 'accent',
      steps: [],
      at: -1,
      progress: '',
    },
  ]
  if (next !== undefined) parts.push({ kind: 'paragraph', text: next })
  if (claim.reply !== null) {
    parts.push({ kind: 'paragraph', text: texts.own.say('claim.reply', { shop: view.shop.name }), tone: 'strong' })
    parts.push({ kind: 'quote', text: clip(claim.reply, limits.text * 4) })
  }
  return [...parts, { kind: 'facts', facts }, ...viewButton(reading, 'claim.view')]
}

/** Longer than any statement that our form produces; it is never shortened to save space. */
const maxStatement = 8_000

/** Article 11a (4) of Directive 2011/83/EU: the content of the statement, and the date and time of its receipt. */
function receipt(reading: Reading, claim: MailClaim): Part[] {
  const { view, texts } = reading
  const facts: Fact[] = [
    { label: texts.own.say('withdrawal.received'), value: claim.receivedAt },
    { label: texts.own.say('withdrawal.order'), value: view.order.name ?? view.order.number },
    ...(claim.items.length > 0
      ? itemFacts(reading, claim, 'withdrawal.items')
      : [{ label: texts.own.say('withdrawal.items'), value: texts.own.say('withdrawal.all_items') }]),
    { label: texts.own.say('withdrawal.number'), value: claim.number },
  ]
  const parts: Part[] = [{ kind: 'heading', text: texts.own.say('withdrawal.heading') }]
  if (claim.statement !== null) {
    parts.push({ kind: 'paragraph', text: texts.own.say('withdrawal.statement'), tone: 'strong' })
    parts.push({ kind: 'quote', text: clip(claim.statement, maxStatement) })
  }
  parts.push({ kind: 'facts', facts }, { kind: 'paragraph', text: texts.own.say('withdrawal.keep'), tone: 'soft' })
  return [...parts, ...viewButton(reading, 'withdrawal.view')]
}

function itemFacts(
  { texts, limits }: Reading,
  { items }: MailClaim,
  label: 'claim.items' | 'withdrawal.items',
): Fact[] {
  if (items.length === 0) return []
  const max = limits.products * 5
  const lines = items.slice(0, max).map(({ title, quantity }) => `${quantity} × ${clip(title, limits.title)}`)
  if (items.length > max) lines.push(texts.own.count('block.products.more', items.length - max))
  return [{ label: texts.own.say(label), value: lines.join('\n') }]
}

function viewButton({ view, texts }: Reading, label: 'claim.view' | 'withdrawal.view'): Part[] {
  const url = linkOf(view.order.trackingUrl)
  return url === undefined ? [] : [{ kind: 'button', label: texts.own.say(label), url }]
}
