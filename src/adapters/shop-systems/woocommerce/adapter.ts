import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import {
  amountOf,
  type Fields,
  given,
  header,
  idOf,
  instantOf,
  listOf,
  readObject,
  requireFields,
  textOf,
  urlOf,
} from '../read-fields.ts'
import type { ReportedProduct, ShopChange, ShopSystemAdapter } from '../shop-system.ts'
import { readOrder } from './order.ts'
import { isDraft } from './status.ts'
import { readableText } from './text.ts'

export const adapter: ShopSystemAdapter<ShopChange> = {
  isSigned({ bytes, headers }, secret) {
    return isSame(header(headers, 'x-wc-webhook-signature'), hmacSha256(secret, bytes).toString('base64'))
  },
  // WooCommerce sends this unsigned form when a webhook is saved, and activates it after a 200.
  isPing: ({ bytes }) => bytes.length < 100 && /^webhook_id=\d+$/.test(bytes.toString('utf8')),
  read({ bytes, headers }) {
    const topic = header(headers, 'x-wc-webhook-topic').toLowerCase()
    switch (topic) {
      case 'order.created':
      case 'order.updated':
      case 'order.restored': {
        const order = readObject(bytes)
        return isDraft(order) ? [] : [{ kind: 'order', order: readOrder(order, topic === 'order.restored') }]
      }
      case 'order.deleted':
        return [{ kind: 'order deleted', orderId: deletedId(bytes), sentAt: undefined }]
      case 'product.created':
      case 'product.updated':
      case 'product.restored':
        return [{ kind: 'product', product: readProduct(readObject(bytes), topic === 'product.restored') }]
      case 'product.deleted':
        return [{ kind: 'product deleted', productId: deletedId(bytes), sentAt: undefined }]
      default:
        return []
    }
  },
}

/** A deletion carries nothing but the id. */
function deletedId(bytes: Buffer): string {
  const id = idOf(readObject(bytes).id)
  requireFields([{ loc: ['id'], value: id }])
  return id ?? ''
}

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
