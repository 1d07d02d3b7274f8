import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import type { SignedMessage } from '../../../platform/foundation/operation.ts'
import {
  amountOf,
  type Fields,
  fieldsOf,
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
import { readFulfilment } from './fulfilment.ts'
import { exactId } from './ids.ts'
import { readOrder } from './order.ts'
import { readFulfillmentEvent } from './shipment-status.ts'

/** Every order topic carries the whole order. */
const orderTopics = new Set([
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/fulfilled',
  'orders/partially_fulfilled',
  'orders/cancelled',
])

export const adapter: ShopSystemAdapter<ShopChange> = {
  isSigned({ bytes, headers }, secret) {
    return isSame(header(headers, 'x-shopify-hmac-sha256'), hmacSha256(secret, bytes).toString('base64'))
  },
  read(message) {
    const topic = header(message.headers, 'x-shopify-topic').toLowerCase()
    const sentAt = sentAtOf(message)
    if (orderTopics.has(topic)) return [{ kind: 'order', order: readOrder(readObject(message.bytes), sentAt) }]
    switch (topic) {
      case 'fulfillments/create':
      case 'fulfillments/update': {
        const body = readObject(message.bytes)
        const orderId = idOf(body.order_id)
        requireFields([
          { loc: ['id'], value: exactId(body.id, body.admin_graphql_api_id, 'Fulfillment') },
          { loc: ['order_id'], value: orderId },
        ])
        const fulfilment = readFulfilment(body, sentAt)
        return fulfilment ? [{ kind: 'fulfilment', orderId: orderId ?? '', fulfilment }] : []
      }
      case 'fulfillment_events/create': {
        const body = readObject(message.bytes)
        const orderId = idOf(body.order_id)
        const fulfilmentId = idOf(body.fulfillment_id)
        requireFields([
          { loc: ['order_id'], value: orderId },
          { loc: ['fulfillment_id'], value: fulfilmentId },
        ])
        const scan = readFulfillmentEvent(body, sentAt)
        return scan ? [{ kind: 'scan', orderId: orderId ?? '', fulfilmentId: fulfilmentId ?? '', scan }] : []
      }
      case 'products/create':
      case 'products/update':
        return [{ kind: 'product', product: readProduct(readObject(message.bytes), sentAt) }]
      case 'orders/delete':
        return [{ kind: 'order deleted', orderId: deletedId(message, 'Order'), sentAt }]
      case 'products/delete':
        return [{ kind: 'product deleted', productId: deletedId(message, 'Product'), sentAt }]
      default:
        return []
    }
  },
}

/** A deletion carries nothing but the id. */
function deletedId({ bytes }: SignedMessage, kind: 'Order' | 'Product'): string {
  const body = readObject(bytes)
  const id = exactId(body.id, body.admin_graphql_api_id, kind)
  requireFields([{ loc: ['id'], value: id }])
  return id ?? ''
}

/** Has nine fractional digits; the times inside an order have whole seconds only. */
function sentAtOf({ headers }: SignedMessage): Date | undefined {
  return instantOf(header(headers, 'x-shopify-triggered-at'))
}

function readProduct(product: Fields, sentAt: Date | undefined): ReportedProduct {
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
