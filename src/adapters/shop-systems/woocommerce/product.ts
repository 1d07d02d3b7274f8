import { amountOf, type Fields, given, idOf, instantOf, listOf, requireFields, textOf, urlOf } from '../read-fields.ts'
import type { ReportedProduct } from '../shop-system.ts'
import { readableText } from './text.ts'

/** A variation has its own message, with the id of its product. */
export function readProduct(product: Fields, isRestored: boolean): ReportedProduct {
  const id = idOf(product.id)
  const title = readableText(product.name, 2_000)
  requireFields([
    { loc: ['id'], value: id },
    { loc: ['name'], value: title },
  ])
  const parentId = product.type === 'variation' ? idOf(product.parent_id) : undefined
  const options = listOf(product.attributes).flatMap(({ option }) => readableText(option) ?? [])
  return {
    id: id ?? '',
    productId: parentId ?? id ?? '',
    changedAt: instantOf(product.date_modified_gmt) ?? instantOf(product.date_created_gmt),
    sentAt: undefined,
    isSold: (product.status ?? 'publish') === 'publish' && product.catalog_visibility !== 'hidden',
    isRestored,
    hasAllVariants: false,
    variants: [
      {
        variant_id: id ?? '',
        title: title ?? '',
        ...given({
          variant_title: parentId === undefined ? undefined : textOf(options.join(' / ')),
          price: amountOf(product.price),
          sku: textOf(product.sku, 255),
          product_url: urlOf(product.permalink, 2_048),
          image_url: listOf(product.images).flatMap(({ src }) => urlOf(src, 2_048) ?? [])[0],
          category: listOf(product.categories).flatMap(({ name }) => readableText(name, 255) ?? [])[0],
        }),
      },
    ],
  }
}
