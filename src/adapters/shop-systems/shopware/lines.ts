import { decimalsOf, roundAmount, sumOf } from '../../../platform/foundation/amounts.ts'
import {
  amountOf,
  currencyOf,
  type Fields,
  fieldsOf,
  given,
  listOf,
  quantityOf,
  textOf,
  urlOf,
} from '../read-fields.ts'
import type { ReportedItem } from '../shop-system.ts'
import { paidOf } from './amounts.ts'

/** A sold line of an order, with the lines inside it. */
export interface Line {
  id: string | undefined
  type: string
  item: ReportedItem
  contents: Line[]
}

/** A line that reduces the order's price: promotions, credits and discounts of plug-ins have negative prices. */
export interface Reduction {
  line: Fields
  amount: number
}

/** The sold lines. A line inside another is a part of it, and its price is in the other's. */
export function linesOf(order: Fields): Line[] {
  const items = listOf(order.lineItems)
  const ids = new Set(items.map(({ id }) => id))
  const inside = items.filter(({ parentId }) => isParent(parentId, ids))
  const sold = items.filter((item) => !isParent(item.parentId, ids) && isSold(item, inside))
  const lines = sold.map((item) => lineOf(order, item, contentsOf(item, inside)))
  return withReductions(
    lines,
    sold.map(({ identifier }) => identifier),
    reductionsOf(order),
    currencyIn(order),
  )
}

/** Lines that are neither sold nor reductions, such as fees of plug-ins. */
export function chargesOf(order: Fields): { name?: string; amount: number }[] {
  const items = listOf(order.lineItems)
  const ids = new Set(items.map(({ id }) => id))
  const inside = items.filter(({ parentId }) => isParent(parentId, ids))
  return items.flatMap((item) => {
    const amount = paidOf(order, item.price, item.totalPrice) ?? 0
    if (amount <= 0 || isParent(item.parentId, ids) || isSold(item, inside)) return []
    return [{ ...given({ name: textOf(item.label, 255) }), amount }]
  })
}

export function reductionsOf(order: Fields): Reduction[] {
  return listOf(order.lineItems).flatMap((line) => {
    const amount = paidOf(order, line.price, line.totalPrice) ?? 0
    return line.type === 'promotion' || amount < 0 ? [{ line, amount: Math.abs(amount) }] : []
  })
}

/** How many pieces are sent: of a container, those inside it, and no downloads. */
export function piecesOf({ type, item, contents }: Line): number {
  if (type === 'product' || type === 'custom') return item.requires_shipping === false ? 0 : (item.quantity ?? 1)
  return contents.reduce((sum, line) => sum + piecesOf(line), 0)
}

function isParent(parentId: unknown, ids: Set<unknown>): boolean {
  return parentId !== undefined && parentId !== null && ids.has(parentId)
}

/** Products, what the shop's people add by hand, and what contains other lines, whatever a plug-in calls it. */
function isSold({ id, type, totalPrice }: Fields, inside: Fields[]): boolean {
  if (type === undefined || type === 'product' || type === 'custom') return (amountOf(totalPrice) ?? 0) >= 0
  return inside.some(({ parentId }) => parentId === id)
}

function contentsOf(item: Fields, inside: Fields[]): Fields[] {
  return inside.filter(({ parentId }) => parentId === item.id)
}

function lineOf(order: Fields, item: Fields, contents: Fields[]): Line {
  const own = itemOf(item)
  const amount = paidOf(order, item.price, item.totalPrice)
  const pieces = quantityOf(item.quantity) ?? 1
  const price =
    amount === undefined || pieces === 0 ? undefined : roundAmount(amount / pieces, decimalsOf(currencyIn(order)))
  const lines = contents.map((content) => lineOf(order, content, []))
  const bundled = lines.map(
    ({ item: { sku: _sku, price: _price, line_subtotal: _all, line_total: _sold, ...part } }) => part,
  )
  return {
    id: textOf(item.id, 255),
    type: textOf(item.type, 100) ?? 'product',
    item: {
      ...own,
      ...given({ price, line_subtotal: amount, line_total: amount }),
      ...(isDownload(item) ? { requires_shipping: false } : {}),
      ...(lines.length === 0 ? {} : { type: 'bundle', bundled_products: bundled.slice(0, 100) }),
    },
    contents: lines,
  }
}

/**
 * The lines as they were sold. A promotion's `composition` says what it takes off which line; anything else is taken off
 * all of them in proportion.
 */
function withReductions(
  lines: Line[],
  identifiers: unknown[],
  reductions: Reduction[],
  currency: string | undefined,
): Line[] {
  const digits = decimalsOf(currency)
  const sold = lines.map(({ item }) => item.line_total ?? 0)
  for (const { line, amount } of reductions) {
    const stated = new Map(
      listOf(fieldsOf(line.payload).composition).map(({ id, discount }) => [id, Math.abs(amountOf(discount) ?? 0)]),
    )
    const named = identifiers.map((id) => stated.get(id) ?? 0)
    const weights = named.some((weight) => weight > 0) ? named : lines.map(({ item }) => item.line_subtotal ?? 0)
    const whole = sumOf(weights)
    let left = amount
    let weightLeft = whole
    for (const [index, weight] of weights.entries()) {
      if (weight <= 0) continue
      weightLeft = sumOf([weightLeft, -weight])
      const share = weightLeft <= 0 ? left : roundAmount((amount * weight) / whole, digits)
      left = sumOf([left, -share])
      sold[index] = sumOf([sold[index], -share])
    }
  }
  return lines.map((line, index) =>
    line.item.line_total === undefined ? line : { ...line, item: { ...line.item, line_total: sold[index] ?? 0 } },
  )
}

function currencyIn(order: Fields): string | undefined {
  return currencyOf(fieldsOf(order.currency).isoCode)
}

/** A line item, without its amounts. */
function itemOf(item: Fields): ReportedItem {
  const payload = fieldsOf(item.payload)
  const options = listOf(payload.options).flatMap(({ option }) => textOf(option) ?? [])
  const image = urlOf(fieldsOf(item.cover).url)
  const productId = textOf(item.productId ?? item.referencedId, 255)
  return given({
    title: textOf(item.label, 2_000),
    quantity: quantityOf(item.quantity),
    sku: textOf(payload.productNumber, 255),
    variant_title: textOf(options.join(' / ')),
    images: image === undefined ? undefined : [{ src: image }],
    requires_shipping: isDownload(item) ? false : undefined,
    type: 'product',
    // Each variant is a product of its own, below the one that it is a variant of.
    product_id: textOf(payload.parentId, 255) ?? productId,
    variant_id: productId,
  })
}

function isDownload({ states }: Fields): boolean {
  return Array.isArray(states) && states.includes('is-download') && !states.includes('is-physical')
}
