import type { Link, Part, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

/** How to reach the shop. */
export function helpBlock({ view, texts }: Reading): Section[] {
  const { shop, order } = view
  const faq = linkOf(shop.faqUrl)
  const service = linkOf(shop.serviceUrl)
  const links: Link[] = []
  if (shop.contactEmail) {
    links.push({
      label: clip(shop.contactEmail, 254),
      url: `mailto:${encodeURIComponent(shop.contactEmail).replace('%40', '@')}`,
    })
  }
  if (shop.contactPhone) {
    links.push({ label: clip(shop.contactPhone, 60), url: `tel:${shop.contactPhone.replaceAll(/[^+\d]/g, '')}` })
  }
  if (service !== undefined) links.push({ label: texts.page.say('layout.service'), url: service })
  if (faq !== undefined) links.push({ label: texts.page.say('layout.faq'), url: faq })
  if (links.length === 0) return []
  const number = order.name ?? order.number
  const parts: Part[] = [
    { kind: 'heading', text: texts.own.say('block.help.heading') },
    { kind: 'paragraph', text: texts.own.say('block.help.text', { shop: shop.name, number }) },
    { kind: 'links', links },
  ]
  return [{ ground: 'page', parts }]
}
