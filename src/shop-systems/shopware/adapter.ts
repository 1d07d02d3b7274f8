import { hmacSha256, isSame } from '../../foundation/crypto.ts'
import { fieldsOf, header, listOf, readObject, requireFields, textOf, unixInstant } from '../read-fields.ts'
import type { News, ShopSystem } from '../shop-system.ts'
import { readOrder } from './order.ts'

/**
 * Events with the whole order in them: placing it, and every state that it, its payment or its delivery enters. A state
 * is left before the next one is entered: what the order is then, only the latter says.
 */
const orderEvent = /^(checkout\.order\.placed|state_enter\.order(_delivery|_transaction)?\.state\.\w+)$/

export const shopware: ShopSystem = {
  name: 'shopware',
  isSigned({ bytes, headers }, secret) {
    const signature = header(headers, 'shopware-shop-signature').toLowerCase()
    return isSame(signature, hmacSha256(secret, bytes).toString('hex'))
  },
  read({ bytes }) {
    const body = readObject(bytes)
    const data = fieldsOf(body.data)
    const event = textOf(data.event, 255)
    requireFields([{ loc: ['data', 'event'], value: event }])
    const sentAt = unixInstant(body.timestamp)
    if (orderEvent.test(event ?? '')) {
      const { order } = fieldsOf(data.payload)
      return [{ kind: 'order', order: readOrder(fieldsOf(order), event ?? '', sentAt) }]
    }
    if (event === 'product.written' || event === 'product.deleted') return deletedProducts(data.payload, sentAt)
    return []
  },
}

/** What was written of a product is told by the names of its fields only; that it is gone is all there is to know. */
function deletedProducts(payload: unknown, sentAt: Date | undefined): News[] {
  return listOf(payload).flatMap(({ entity, operation, primaryKey }): News[] => {
    const productId = textOf(primaryKey, 255)
    if (entity !== 'product' || operation !== 'delete' || productId === undefined) return []
    return [{ kind: 'product deleted', productId, sentAt }]
  })
}
