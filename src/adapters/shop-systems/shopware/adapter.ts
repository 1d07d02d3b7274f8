import { fieldsOf, listOf, readObject, requireFields, textOf, unixInstant } from '../read-fields.ts'
import type { ChangedOrder, ReportedChange, ShopSystemAdapter } from '../shop-system.ts'
import { readOrder } from './order.ts'
import { isSignedBody, shopSignature } from './registration.ts'

/**
 * Events that carry the whole order: it was placed, or it, its payment or its delivery entered a state. Leaving a state
 * is ignored, because entering the next one follows.
 */
const orderEvent = /^(checkout\.order\.placed|state_enter\.order(_delivery|_transaction)?\.state\.\w+)$/

/** Orders are edited in draft versions, which count only once merged into the live version. */
const liveVersion = '0fa91ce3e96a4bc2be4bd9ce752c3425'

const idPattern = /^[0-9a-f]{32}$/

export const adapter: ShopSystemAdapter = {
  isSigned: (message, secret) => isSignedBody(message, shopSignature, secret),
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
    if (event === 'order.written' || event === 'order.deleted') return changedOrders(data.payload)
    if (event === 'app.deleted') return [{ kind: 'disconnected' }]
    return []
  },
}

/** A write to a part of an order names the order without a version. */
function changedOrders(payload: unknown): ReportedChange[] {
  const orders = new Map<string, ChangedOrder>()
  for (const { entity, operation, primaryKey, versionId } of listOf(payload)) {
    const orderId = textOf(primaryKey, 255)
    if (entity !== 'order' || orderId === undefined || !idPattern.test(orderId)) continue
    if (versionId !== undefined && versionId !== liveVersion) continue
    const isDeleted = operation === 'delete' || orders.get(orderId)?.isDeleted === true
    orders.set(orderId, { orderId, isDeleted })
  }
  return orders.size === 0 ? [] : [{ kind: 'orders changed', orders: [...orders.values()] }]
}

/** A product write lists only the names of the changed fields, so only deletions are of use. */
function deletedProducts(payload: unknown, sentAt: Date | undefined): ReportedChange[] {
  return listOf(payload).flatMap(({ entity, operation, primaryKey }): ReportedChange[] => {
    const productId = textOf(primaryKey, 255)
    if (entity !== 'product' || operation !== 'delete' || productId === undefined) return []
    return [{ kind: 'product deleted', productId, sentAt }]
  })
}
