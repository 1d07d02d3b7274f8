import { isReturn } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { createKnownFields } from '../../platform/foundation/known-fields.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { NullReply, Type } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { predictorFor } from '../delivery-windows/predict.ts'
import { recordSystemEvents } from '../events/record.ts'
import { getCarrier, newDraft, newFulfilledShipment, toPlannedOrder, toSystemEvent } from '../orders/fulfilment.ts'
import { Product } from '../orders/parts.ts'
import { normaliseProduct } from '../orders/rules.ts'
import { ShipmentUpdate } from '../orders/schema.ts'
import { type LockedOrder, lockOrders, updateOrders } from '../orders/store.ts'
import { carrierHistories } from './carrier-history.ts'
import { correctParcel } from './correct.ts'
import { orderPartOf, toShipmentRecord, toTracking } from './present.ts'
import { ShipmentCreation, ShipmentRecord, Tracking } from './schema.ts'
import { type FoundShipment, findShipment, findShipmentByNumber } from './store.ts'
import { deleteShipments, insertShipments, updateShipmentDetails } from './write-store.ts'

/** The audit log's record of a shipment: of everything that may be about the customer, only that it changed. */
const auditedShipment = {
  kind: 'shipment',
  only: 'by hand',
  named: 'tracking_number',
  personal: ['tracking_url', 'products', 'pickup'],
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const shipment = await findShipment(context, id)
    if (shipment === undefined) return undefined
    const { order_number, tracking_number, carrier_reference, external_shipment_id, direction, phase } = shipment
    const { tracking_url, products, pickup } = shipment
    return {
      order_number,
      tracking_number,
      carrier_reference,
      external_shipment_id,
      direction,
      phase,
      // Compared as a whole: which part of them changed is not recorded.
      tracking_url,
      products: JSON.stringify(products),
      pickup: JSON.stringify(pickup),
    }
  },
} as const

const knownProducts = createKnownFields<Product[]>(Type.Array(Product))

export const createShipment = operation({
  name: 'createShipment',
  summary: 'Create a shipment of an order',
  description: 'Without a tracking number, it is a draft. If no carrier is given, it is detected from the number.',
  area: 'Shipments',
  route: 'POST /v1/shops/{slug}/shipments',
  needs: 'editor',
  body: ShipmentCreation,
  reply: ShipmentRecord,
  errors: ['order_not_found', 'shipment_exists', 'carrier_reference_invalid'],
  audit: auditedShipment,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const order = await lockOrder(context, body.order_id_type, body.order_id)
      const upsert = { trackings: body.tracking_number ? [body] : [] }
      const histories = await carrierHistories(context, [{ shopId: context.shop.id, upsert }])
      const planned = { ...toPlannedOrder(order, context.now), carrierHistory: histories.get(context.shop.id) }
      const direction = body.direction ?? 'customer_merchant'
      const products = body.products ? chosenProducts(order, body.products) : null
      const shipment = body.tracking_number
        ? newFulfilledShipment(
            planned,
            {
              tracking_number: body.tracking_number,
              carrier_reference: body.carrier_reference,
              service: body.service,
              external_shipment_id: body.external_shipment_id,
            },
            {
              direction,
              predict: (await predictorFor(context, [{ shopId: context.shop.id, upsert: { trackings: [body] } }]))(
                planned,
              ),
              loc: ['body'],
            },
          )
        : {
            ...newDraft({ ...planned, orderPlacedAt: context.now }, direction),
            ...(body.service ? { service: body.service } : {}),
            carrierReference: body.carrier_reference ? getCarrier(body.carrier_reference, ['body']) : null,
            isCarrierGiven: Boolean(body.carrier_reference),
            externalShipmentId: body.external_shipment_id ?? null,
          }
      const inserted = await insertShipments(context, [{ ...shipment, products }])
      if (!inserted.has(shipment.id)) {
        throw new ApiError(
          'shipment_exists',
          `This order already has a shipment with the tracking number ${JSON.stringify(body.tracking_number)}.`,
        )
      }
      await recordSystemEvents(context, [toSystemEvent(shipment)])
      if (order.isHandedOverWithoutTracking && body.tracking_number && !isReturn(direction)) {
        await updateOrders(context, [{ ...order, isHandedOverWithoutTracking: false, now: context.now }])
      }
      return toShipmentRecord(context, await getShipmentById(context, shipment.id))
    }),
})

export const getShipment = operation({
  name: 'getShipment',
  summary: 'Get a shipment with its events',
  area: 'Shipments',
  route: 'GET /v1/shops/{slug}/shipments/{shipment_id}',
  needs: 'viewer',
  reply: Tracking,
  errors: ['shipment_not_found'],
  async handle(context, { path }) {
    const shipment = await getShipmentById(context, path.shipment_id)
    return toTracking(context, shipment, orderPartOf(shipment))
  },
})

export const updateOrderShipment = operation({
  name: 'updateOrderShipment',
  summary: "Update an order's shipment",
  description:
    'Products replace the current list; an empty list removes all of them. Absent fields stay unchanged. A corrected carrier or tracking number is polled at once, and the link to the carrier follows it. With another number, the scans of the former one are removed: they belong to another parcel. Nobody is notified of a correction.',
  area: 'Shipments',
  route: 'PATCH /v1/shops/{slug}/orders/{order_id}/shipments/{shipment_id}',
  needs: 'editor',
  body: ShipmentUpdate,
  reply: Tracking,
  errors: ['order_not_found', 'shipment_not_found', 'shipment_exists', 'carrier_reference_invalid'],
  audit: auditedShipment,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      const order = await lockOrder(context, 'uuid', path.order_id)
      const known = await findShipment(context, path.shipment_id)
      if (known?.order_id !== order.id) throw shipmentNotFound(path.shipment_id)
      await correctParcel(context, toPlannedOrder(order, context.now), known, body)
      const products = body.products ? knownProducts(body.products).map(normaliseProduct) : undefined
      if (body.tracking_url !== undefined || products !== undefined) {
        await updateShipmentDetails(context, [
          {
            shopId: context.shop.id,
            id: path.shipment_id,
            now: context.now,
            ...(body.tracking_url === undefined ? {} : { trackingUrl: body.tracking_url }),
            ...(products === undefined ? {} : { products }),
          },
        ])
      }
      const shipment = await getShipmentById(context, path.shipment_id)
      return toTracking(context, shipment, orderPartOf(shipment))
    }),
})

export const deleteShipment = operation({
  name: 'deleteShipment',
  summary: 'Delete a shipment',
  description: 'order_identifier is the uuid, the order number or the external id of the order.',
  area: 'Shipments',
  route: 'DELETE /v1/shops/{slug}/orders/{order_identifier}/shipments/{tracking_number}',
  needs: 'editor',
  reply: NullReply,
  errors: ['order_not_found', 'shipment_not_found'],
  audit: {
    kind: 'shipment',
    only: 'by hand',
    outcome: (_context, { path }) => ({ order: path.order_identifier, tracking_number: path.tracking_number }),
  },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const order = await lockOrderByAnyId(context, path.order_identifier)
      const id = await findShipmentByNumber(context, order.id, path.tracking_number)
      if (id === undefined) throw shipmentNotFound(path.tracking_number)
      await deleteShipments(context, context.shop.id, [id])
      return null
    }),
})

/** The order's line items chosen by product and variant, with the quantity in the parcel. */
function chosenProducts(
  order: LockedOrder,
  chosen: { product_id?: unknown; variant_id?: unknown; quantity?: number | null }[],
): unknown[] {
  const { products = [] } = order.details as { products?: Product[] }
  return chosen.map((choice) => {
    const productId = textOf(choice.product_id)
    const variantId = textOf(choice.variant_id)
    const item = products.find(
      (product) =>
        (productId !== undefined || variantId !== undefined) &&
        (productId === undefined || product.product_id === productId) &&
        (variantId === undefined || product.variant_id === variantId),
    )
    return {
      ...item,
      ...(productId === undefined ? {} : { product_id: productId }),
      ...(variantId === undefined ? {} : { variant_id: variantId }),
      quantity: choice.quantity ?? item?.quantity ?? 1,
    }
  })
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}

async function lockOrder(
  context: ShopContext,
  idType: 'uuid' | 'external_id' | 'order_number' | 'order_name',
  id: string,
): Promise<LockedOrder> {
  if (idType === 'uuid' && !isUuid(id)) throw invalid(['body', 'order_id'], 'must be a UUID for this order_id_type')
  const [order] = await lockOrders(context, [{ shopId: context.shop.id, idType, id }])
  if (order === undefined) throw orderNotFound(id)
  return order
}

/** Tries the identifier as uuid, then as order number, then as external id. */
async function lockOrderByAnyId(context: ShopContext, identifier: string): Promise<LockedOrder> {
  const shopId = context.shop.id
  const [byUuid, byNumber, byExternal] = await lockOrders(context, [
    { shopId, idType: isUuid(identifier) ? 'uuid' : 'order_number', id: identifier },
    { shopId, idType: 'order_number', id: identifier },
    { shopId, idType: 'external_id', id: identifier },
  ])
  const order = byUuid ?? byNumber ?? byExternal
  if (order === undefined) throw orderNotFound(identifier)
  return order
}

function orderNotFound(id: string): ApiError {
  return new ApiError('order_not_found', `There is no order ${JSON.stringify(id)} in this shop.`)
}

async function getShipmentById(context: ShopContext, id: string): Promise<FoundShipment> {
  const shipment = await findShipment(context, id)
  if (shipment === undefined) throw shipmentNotFound(id)
  return shipment
}

function shipmentNotFound(id: string): ApiError {
  return new ApiError('shipment_not_found', `There is no shipment ${JSON.stringify(id)}.`)
}
