import { hmacSha256, isSame } from '../../../platform/foundation/crypto.ts'
import { header, idOf, readObject, requireFields } from '../read-fields.ts'
import type { ShopChange, ShopSystemAdapter } from '../shop-system.ts'
import { readOrder } from './order.ts'
import { readProduct } from './product.ts'
import { isDraft } from './status.ts'

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
