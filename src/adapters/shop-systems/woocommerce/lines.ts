import { decimalsOf, roundAmount, sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, currencyOf, type Fields, given, idOf, listOf, textOf } from '../read-fields.ts'
import { withQuantity } from '../settle.ts'
import type { ReportedItem } from '../shop-system.ts'
import { countOf, itemOf } from './items.ts'

/** A line of an order, with the lines of its contents if it is a bundle. */
export interface Line {
  id: string | undefined
  item: ReportedItem
  contents: Line[]
  /** Whether it is sent as a piece of its own; contents of a bundle may be packed inside it. */
  isSentAlone: boolean
}

/** The lines as they were ordered, bundles with their contents inside. */
export function orderedLines(order: Fields): Line[] {
  return group(order, listOf(order.line_items).slice(0, maxLines), new Map())
}

/** The lines that are still part of the order: refunds that name their items reduce them. */
export function currentLines(order: Fields): Line[] {
  return group(order, listOf(order.line_items).slice(0, maxLines), refundedQuantities(order))
}

const maxLines = 1_000

/** A line as an item of the order. A bundle costs what it and its contents cost. */
export function itemOfLine({ item, contents }: Line, currency: string | undefined): ReportedItem {
  if (contents.length === 0) return item
  const all = [item, ...contents.map((line) => itemOfLine(line, currency))]
  const sum = (name: 'line_subtotal' | 'line_total') => {
    const amounts = all.flatMap((one) => one[name] ?? [])
    return amounts.length === 0 ? undefined : sumOf(amounts)
  }
  const line_subtotal = sum('line_subtotal')
  const quantity = item.quantity ?? 1
  return {
    ...item,
    ...given({ line_subtotal, line_total: sum('line_total') }),
    ...(line_subtotal === undefined || quantity === 0
      ? {}
      : { price: roundAmount(line_subtotal / quantity, decimalsOf(currency)) }),
    type: 'bundle',
    bundled_products: contents.flatMap(contentOf).slice(0, 100),
  }
}

/** The contents of a bundle, without amounts: these are in the bundle's. */
function contentOf({ item, contents }: Line): ReportedItem[] {
  const { sku: _sku, price: _price, line_subtotal: _before, line_total: _sold, ...content } = item
  return [content, ...contents.flatMap(contentOf)]
}

/** How many pieces are sent for a line: a bundle, or those of its contents that are sent on their own. */
export function piecesOf({ item, contents }: Line): number {
  if (item.requires_shipping === false && contents.length === 0) return 0
  const alone = contents.filter(({ isSentAlone }) => isSentAlone)
  return alone.length === 0 ? (item.quantity ?? 1) : alone.reduce((sum, line) => sum + piecesOf(line), 0)
}

/**
 * Product Bundles and Composite Products send a bundle and its contents as lines. The contents name the line of their
 * bundle, and the field of the line's meta data names its key.
 */
const kinds = [
  { parent: 'bundled_by', meta: '_bundled_by', key: '_bundle_cart_key', alone: '_bundled_item_needs_shipping' },
  {
    parent: 'composite_parent',
    meta: '_composite_parent',
    key: '_composite_cart_key',
    alone: '_composite_item_needs_shipping',
  },
] as const

/** The bundles and composites of WPC name the product of their bundle, and mark its line. */
const byProduct = [
  { parent: '_woosb_parent_id', mark: '_woosb_ids' },
  { parent: '_wooco_parent_id', mark: '_wooco_ids' },
  { parent: 'wooco_parent_id', mark: 'wooco_ids' },
] as const

function group(order: Fields, items: Fields[], refunded: Map<string | undefined, number>): Line[] {
  const currency = currencyOf(order.currency)
  const metas = items.map((item) => new Map(listOf(item.meta_data).map(({ key, value }) => [key, value])))
  const byKey = new Map<string, number>()
  for (const [index, meta] of metas.entries()) {
    const product = idOf(items[index]?.product_id)
    const marks = byProduct.flatMap(({ mark }) => (meta.has(mark) ? `${mark} ${product}` : []))
    const keys = [idOf(items[index]?.id), ...kinds.map(({ key }) => textOf(meta.get(key), 255)), ...marks]
    for (const key of keys) if (key !== undefined && !byKey.has(key)) byKey.set(key, index)
  }
  const parentAt = (index: number): number | undefined => {
    for (const { parent, meta } of kinds) {
      const at = byKey.get(idOf(items[index]?.[parent]) ?? textOf(metas[index]?.get(meta), 255) ?? '')
      if (at !== undefined && at !== index) return at
    }
    for (const { parent, mark } of byProduct) {
      const at = byKey.get(`${mark} ${idOf(metas[index]?.get(parent))}`)
      if (at !== undefined && at !== index) return at
    }
    return undefined
  }
  const parents = items.map((_item, index) => parentAt(index))
  const lines = items.map((item, index): Line => {
    const taken = refunded.get(idOf(item.id)) ?? 0
    const ordered = itemOf(item, currency)
    const quantity = Math.max(0, (countOf(item.quantity) ?? 1) - taken)
    return {
      id: idOf(item.id),
      item: taken === 0 ? ordered : withQuantity(ordered, quantity, currency),
      contents: [],
      isSentAlone: kinds.some(({ alone }) => metas[index]?.get(alone) === 'yes'),
    }
  })
  return lines.filter((line, index) => {
    const parent = lines[rootOf(index, parents)]
    const isGone = line.item.quantity === 0 && (refunded.get(line.id) ?? 0) > 0
    if (isGone) return false
    if (parent === undefined || parent === line) return true
    parent.contents.push(line)
    return false
  })
}

/** The outermost bundle of a line; lines that name each other stand alone. */
function rootOf(index: number, parents: (number | undefined)[]): number {
  const seen = new Set<number>()
  let at = index
  for (let parent = parents[at]; parent !== undefined; parent = parents[at]) {
    if (seen.has(at)) return index
    seen.add(at)
    at = parent
  }
  return at
}

/**
 * The refunded quantity of each line. An order's own `refunds` are totals only; if they are read in full, each of their
 * lines names the one that it refunds.
 */
export function refundedQuantities(order: Fields): Map<string | undefined, number> {
  const refunded = new Map<string | undefined, number>()
  for (const line of listOf(order.refunds).flatMap((refund) => listOf(refund.line_items))) {
    const id = idOf(listOf(line.meta_data).find(({ key }) => key === '_refunded_item_id')?.value ?? line.line_item_id)
    const quantity = Math.abs(Math.round(amountOf(line.quantity) ?? 0))
    refunded.set(id, (refunded.get(id) ?? 0) + quantity)
  }
  return refunded
}
