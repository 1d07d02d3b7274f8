import { toOneLine } from '../../platform/foundation/mail-address.ts'
import { fill } from '../../platform/foundation/texts.ts'
import type { MailParcel, MailVariable, MailView } from '../customer-mail/view.ts'
import { clip } from './reading.ts'
import type { MailTexts } from './texts.ts'

/** The texts at the top of a message: the merchant's, else ours. */
export interface GroupWords {
  subject: string
  preheader: string
  heading: string
  introduction: string
}

type Values = Record<MailVariable, string | undefined>

const maxSubject = 200
const maxLine = 300

export function wordsOf(view: MailView, texts: MailTexts, maxText: number): GroupWords {
  const values = valuesOf(view)
  const say = (part: keyof GroupWords) =>
    fillTemplate(view.template?.[part], values) ?? endOnce(fill(ownText(view, texts, part, values), values))
  return {
    subject: clip(toOneLine(say('subject')), maxSubject),
    preheader: clip(toOneLine(say('preheader')), maxLine),
    heading: clip(toOneLine(say('heading')), maxLine),
    introduction: clip(say('introduction').trim(), maxText),
  }
}

/** Removes a double full stop: a date may end with one, as in Czech, and so does the sentence. */
function endOnce(text: string): string {
  return text.replaceAll(/([^.])\.\.(?!\.)/g, '$1.')
}

/** A merchant's footer with its variables filled. */
export function footerOf(view: MailView): string | undefined {
  const footer = view.template?.footer ?? view.shop.footer
  return fillTemplate(footer, valuesOf(view))
}

/** The parcel that the event is about. */
export function subjectOf({ parcels }: Pick<MailView, 'parcels'>): MailParcel | undefined {
  return parcels.find(({ isSubject }) => isSubject) ?? parcels[0]
}

function valuesOf(view: MailView): Values {
  const { customer, shop, order } = view
  const parcel = subjectOf(view)
  return {
    first_name: customer.firstName ?? undefined,
    full_name: customer.fullName ?? undefined,
    shop_name: shop.name,
    order_number: order.name ?? order.number,
    tracking_number: parcel?.trackingNumber ?? undefined,
    carrier: parcel?.carrier ?? undefined,
    expected_date: parcel?.expected ?? undefined,
    pickup_name: parcel?.pickup?.name ?? undefined,
    pickup_until: parcel?.pickup?.until ?? undefined,
  }
}

/** The variants of our texts for missing variables, in the order in which they are tried. */
const variants: [suffix: string, variables: MailVariable[]][] = [
  ['no_name', ['first_name', 'full_name']],
  ['no_carrier', ['carrier']],
  ['no_pickup', ['pickup_name']],
  ['no_date', ['expected_date', 'pickup_until']],
]

/** See texts/README.md. */
function ownText({ group, claim }: MailView, { own }: MailTexts, part: keyof GroupWords, values: Values): string {
  const plain = `group.${group}.${part}`
  const byStatus = `${plain}.${claim?.status}`
  const key = own.find(byStatus) === undefined ? plain : byStatus
  const text = own.find(key)
  if (text === undefined) return own.say(`group.other.${part}`)
  const missing = missingIn(text, values)
  for (const [suffix, variables] of variants) {
    const variant = variables.some((name) => missing.has(name)) ? own.find(`${key}.${suffix}`) : undefined
    if (variant !== undefined && missingIn(variant, values).size === 0) return variant
  }
  return missing.size === 0 ? text : own.say(`group.other.${part}`)
}

/**
 * A merchant's text with its variables. A sentence with a variable that this order does not have is left out rather than
 * shown with a hole; undefined if nothing remains, or if there is no text.
 */
function fillTemplate(text: string | null | undefined, values: Values): string | undefined {
  if (!text) return undefined
  if (missingIn(text, values).size === 0) return fill(text, values)
  const lines = text.split('\n').map((line) => {
    const sentences = line.split(/(?<=[.!?]) /)
    return sentences.filter((sentence) => missingIn(sentence, values).size === 0).join(' ')
  })
  const rest = lines.join('\n').trim()
  return rest === '' ? undefined : fill(rest, values)
}

function missingIn(text: string, values: Values): Set<string> {
  const named = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return new Set(named.filter((name) => name in values && values[name as MailVariable] === undefined))
}
