import { type Fields, fieldsOf, given, listOf, quantityOf, textOf, urlOf } from '../read-fields.ts'
import type { ReportedItem } from '../shop-system.ts'

/** A line item, without its amounts. */
export function itemOf(item: Fields): ReportedItem {
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

export function isDownload({ states }: Fields): boolean {
  return Array.isArray(states) && states.includes('is-download') && !states.includes('is-physical')
}
