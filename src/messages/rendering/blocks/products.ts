import type { MailProduct } from '../../customer-mail/view.ts'
import type { Part, Row, Section } from '../parts.ts'
import { clip, linkOf, type Reading } from '../reading.ts'

/** The ordered products. */
export function productsBlock(reading: Reading): Section[] {
  const { view, texts, limits } = reading
  const { products, order, isOneParcelOnly } = view
  if (products.length === 0) return []
  const hidden = products.length - limits.products
  const parts: Part[] = [
    { kind: 'heading', text: texts.page.say(isOneParcelOnly ? 'parcel.products' : 'order.products') },
    { kind: 'rows', rows: products.slice(0, limits.products).map((product) => productRow(reading, product)) },
  ]
  if (hidden > 0) {
    parts.push({ kind: 'paragraph', text: texts.own.count('block.products.more', hidden), tone: 'soft' })
  }
  if (order.total !== null && !isOneParcelOnly) {
    parts.push({ kind: 'facts', facts: [{ label: texts.own.say('block.products.total'), value: order.total }] })
  }
  return [{ ground: 'page', parts }]
}

export function productRow({ texts, limits }: Reading, product: MailProduct): Row {
  const quantity = product.quantity === 1 ? '' : texts.page.say('parcel.quantity', { quantity: product.quantity })
  return {
    title: clip(product.title || texts.page.say('parcel.unnamed_product'), limits.title),
    details: [clip(product.variant ?? '', limits.title), quantity].filter((text) => text !== '').join(' · '),
    amount: product.price ?? undefined,
    imageUrl: linkOf(product.imageUrl) ?? null,
    url: linkOf(product.url),
  }
}
