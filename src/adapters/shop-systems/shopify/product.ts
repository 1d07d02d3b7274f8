import {
  amountOf,
  type Fields,
  fieldsOf,
  given,
  idOf,
  instantOf,
  listOf,
  requireFields,
  textOf,
  urlOf,
} from '../read-fields.ts'
import type { ReportedProduct } from '../shop-system.ts'
import { exactId } from './ids.ts'

export function readProduct(product: Fields, sentAt: Date | undefined): ReportedProduct {
  const id = exactId(product.id, product.admin_graphql_api_id, 'Product')
  const title = textOf(product.title, 2_000)
  requireFields([
    { loc: ['id'], value: id },
    { loc: ['title'], value: title },
  ])
  const images = new Map(listOf(product.images).map((image) => [image.id, urlOf(image.src, 2_048)]))
  const mainImage = urlOf(fieldsOf(product.image).src, 2_048) ?? [...images.values()][0]
  const handle = textOf(product.handle, 255)
  return {
    id: id ?? '',
    productId: id ?? '',
    changedAt: instantOf(product.updated_at),
    sentAt,
    isSold: product.status === undefined || product.status === 'active',
    isRestored: false,
    hasAllVariants: true,
    variants: listOf(product.variants).flatMap((variant) => {
      const variantId = idOf(variant.id)
      if (variantId === undefined) return []
      return [
        {
          variant_id: variantId,
          title: title ?? '',
          ...given({
            // A product with a single variant has no name for it.
            variant_title: variant.title === 'Default Title' ? undefined : textOf(variant.title),
            price: amountOf(variant.price),
            sku: textOf(variant.sku, 255),
            product_url: handle === undefined ? undefined : `/products/${encodeURIComponent(handle)}`,
            image_url: images.get(variant.image_id) ?? mainImage,
            category: textOf(product.product_type, 255),
          }),
        },
      ]
    }),
  }
}
