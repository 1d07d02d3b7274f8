import type { Part, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'
import { productRow } from './products.ts'

/** The shop's announcements, and the campaign for this customer. */
export function campaignBlock(reading: Reading): Section[] {
  const { promotion } = reading.view
  if (promotion === null) return []
  return [...announcements(reading), ...campaign(reading)]
}

function announcements({ view, texts, limits }: Reading): Section[] {
  const given = view.promotion?.announcements.slice(0, limits.deals) ?? []
  if (given.length === 0) return []
  const parts = given.flatMap(({ title, text, url }): Part[] => {
    const address = linkOf(url)
    return [
      ...(title === '' ? [] : [{ kind: 'paragraph', text: clip(title, limits.title), tone: 'strong' } as const]),
      { kind: 'paragraph', text: clip(text, limits.text) },
      ...(address === undefined
        ? []
        : [{ kind: 'links', links: [{ label: texts.page.say('offer.open'), url: address }] } as const]),
    ]
  })
  const heading = texts.page.say('order.announcements', { shop: view.shop.name })
  return [{ ground: 'card', parts: [{ kind: 'heading', text: heading }, ...parts] }]
}

function campaign(reading: Reading): Section[] {
  const { view, texts, limits } = reading
  const offer = view.promotion?.campaign
  if (!offer) return []
  const parts: Part[] = []
  const picture = linkOf(offer.imageUrl)
  const target = linkOf(offer.ctaUrl)
  if (picture !== undefined) parts.push({ kind: 'picture', url: picture, width: 536, height: 302 })
  parts.push({ kind: 'heading', text: clip(offer.title || texts.page.say('offer.label'), limits.title) })
  if (offer.text) parts.push({ kind: 'paragraph', text: clip(offer.text, limits.text) })
  if (offer.products.length > 0) {
    parts.push({ kind: 'rows', rows: offer.products.slice(0, 3).map((product) => productRow(reading, product)) })
  }
  if (offer.discountCode) {
    parts.push({ kind: 'code', label: texts.page.say('offer.code'), code: clip(offer.discountCode, 60) })
  }
  if (target !== undefined) {
    const label = clip(offer.ctaLabel || texts.page.say('offer.open'), 60)
    parts.push({ kind: 'button', label, url: target, isQuiet: true })
  }
  return [{ ground: 'offer', parts }]
}
