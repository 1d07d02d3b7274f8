import { isReturn } from '../../catalogue/catalogue.ts'
import { countUpTo, estimateRows } from '../../database/count.ts'
import { after, dayMs, minuteMs } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { isUuid } from '../../foundation/ids.ts'
import { createKnownFields } from '../../foundation/known-fields.ts'
import { operation } from '../../foundation/operation.ts'
import { exactTotalLimit, offsetOf, pageRequest } from '../../foundation/page.ts'
import { instant, NullReply, Type } from '../../foundation/schema.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { predictorFor } from '../delivery-windows/predict.ts'
import { recordOwnEvents } from '../events/record.ts'
import { eventOf, fulfilled, getCarrier, newDraft, type PlannedOrder } from '../orders/fulfilment.ts'
import { Product } from '../orders/parts.ts'
import { keptProduct } from '../orders/rules.ts'
import { ShipmentUpdate } from '../orders/schema.ts'
import { type LockedOrder, lockOrders, updateOrders } from '../orders/store.ts'
import { countryOf } from '../orders/upsert.ts'
import { carrierHistories } from './carrier-history.ts'
import { orderPartOf, toShipmentRecord, toTracking } from './present.ts'
import { ShipmentCreation, ShipmentFilter, ShipmentPage, ShipmentRecord, Tracking } from './schema.ts'
import { countedShipments, type ShipmentSearch } from './search-store.ts'
import {
  deleteShipments,
  type FoundShipment,
  findShipment,
  findShipmentByNumber,
  insertShipments,
  listShipments,
  updateShipmentDetails,
} from './store.ts'

const defaultLookbackDays = 30
const longestLookbackDays = 90
/** A client that counts 90 days back from its own clock is a little earlier than we are when the request arrives. */
const allowedDelayMs = minuteMs
const knownProducts = createKnownFields<Product[]>(Type.Array(Product))

export const searchShipments = operation({
  name: 'searchShipments',
  summary: 'Search shipments',
  description: `updated_from is ${defaultLookbackDays} days ago unless given, and at most ${longestLookbackDays} days ago. The total is exact up to 10,000; above, it is an estimate and total_is_estimate is true.`,
  area: 'Shipments',
  route: 'GET /v1/shops/{slug}/shipments',
  needs: 'viewer',
  query: ShipmentFilter,
  reply: ShipmentPage,
  async handle(context, { query }) {
    const request = pageRequest(query)
    const search = searchOf(context, query, { limit: request.perPage + 1, offset: offsetOf(request) })
    const rows = await listShipments(context, search)
    const hasNext = rows.length > request.perPage
    const shown = hasNext ? rows.slice(0, request.perPage) : rows
    const isLast = !hasNext && (shown.length > 0 || request.page === 1)
    const { total, isEstimate } = isLast
      ? { total: offsetOf(request) + shown.length, isEstimate: false }
      : await totalOf(context, query, search)
    return {
      shipments: shown.map((shipment) => toShipmentRecord(context, shipment)),
      pagination: {
        page: request.page,
        per_page: request.perPage,
        total,
        total_pages: Math.ceil(total / request.perPage),
        has_next: hasNext,
        has_previous: request.page > 1,
        total_is_estimate: isEstimate,
      },
    }
  },
})

export const createShipment = operation({
  name: 'createShipment',
  summary: 'Create a shipment of an order',
  description: 'Without a tracking number it is a draft. The carrier is found from the number where it is not given.',
  area: 'Shipments',
  route: 'POST /v1/shops/{slug}/shipments',
  needs: 'editor',
  body: ShipmentCreation,
  reply: ShipmentRecord,
  errors: ['order_not_found', 'shipment_exists', 'carrier_reference_invalid'],
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const order = await lockOne(context, body.order_id_type, body.order_id)
      const upsert = { trackings: body.tracking_number ? [body] : [] }
      const histories = await carrierHistories(context, [{ shopId: context.shop.id, upsert }])
      const planned = { ...plannedOf(context, order), carrierHistory: histories.get(context.shop.id) }
      const direction = body.direction ?? 'customer_merchant'
      const products = body.products ? chosenProducts(order, body.products) : null
      const shipment = body.tracking_number
        ? fulfilled(
            planned,
            {
              tracking_number: body.tracking_number,
              carrier_reference: body.carrier_reference,
              external_shipment_id: body.external_shipment_id,
            },
            undefined,
            undefined,
            (await predictorFor(context, [{ shopId: context.shop.id, upsert: { trackings: [body] } }]))(planned),
            ['body'],
            direction,
          )
        : {
            ...newDraft({ ...planned, orderPlacedAt: context.now }, direction),
            carrierReference: body.carrier_reference ? getCarrier(body.carrier_reference, ['body']) : null,
            isCarrierGiven: Boolean(body.carrier_reference),
            externalShipmentId: body.external_shipment_id ?? null,
          }
      const inserted = await insertShipments(context, [{ ...shipment, products }])
      if (!inserted.has(shipment.id)) {
        throw new ApiError(
          'shipment_exists',
          `This order has a shipment with the tracking number ${JSON.stringify(body.tracking_number)}.`,
        )
      }
      await recordOwnEvents(context, [eventOf(shipment)])
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
  description: 'Products replace the current list; an empty list removes all of them. What is absent stays.',
  area: 'Shipments',
  route: 'PATCH /v1/shops/{slug}/orders/{order_id}/shipments/{shipment_id}',
  needs: 'editor',
  body: ShipmentUpdate,
  reply: Tracking,
  errors: ['order_not_found', 'shipment_not_found'],
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      const order = await lockOne(context, 'uuid', path.order_id)
      const known = await findShipment(context, path.shipment_id)
      if (known?.order_id !== order.id) throw shipmentNotFound(path.shipment_id)
      const products = body.products ? knownProducts(body.products).map(keptProduct) : undefined
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
  description: 'The order is named by its uuid, its number or its external id.',
  area: 'Shipments',
  route: 'DELETE /v1/shops/{slug}/orders/{order_identifier}/shipments/{tracking_number}',
  needs: 'editor',
  reply: NullReply,
  errors: ['order_not_found', 'shipment_not_found'],
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const order = await lockAnyName(context, path.order_identifier)
      const id = await findShipmentByNumber(context, order.id, path.tracking_number)
      if (id === undefined) throw shipmentNotFound(path.tracking_number)
      await deleteShipments(context, context.shop.id, [id])
      return null
    }),
})

function searchOf(
  context: ShopContext,
  query: ShipmentFilter,
  page: { limit: number; offset: number },
): ShipmentSearch {
  const earliest = after(context.now, -longestLookbackDays * dayMs)
  const updatedFrom = query.updated_from
    ? instant(query.updated_from)
    : after(context.now, -defaultLookbackDays * dayMs)
  if (updatedFrom.getTime() < earliest.getTime() - allowedDelayMs) {
    throw invalid(['query', 'updated_from'], `must be at most ${longestLookbackDays} days ago`)
  }
  const sort = query.sort ?? '-updated_at'
  return {
    trackingNumber: query.tracking_number,
    updatedFrom,
    updatedTo: query.updated_to === undefined ? undefined : instant(query.updated_to),
    createdFrom: query.created_from === undefined ? undefined : instant(query.created_from),
    createdTo: query.created_to === undefined ? undefined : instant(query.created_to),
    sortBy: sort.endsWith('created_at') ? 'created_at' : 'updated_at',
    isDescending: sort.startsWith('-'),
    includeDrafts: query.include_drafts ?? true,
    ...page,
  }
}

async function totalOf(
  context: ShopContext,
  query: ShipmentFilter,
  search: ShipmentSearch,
): Promise<{ total: number; isEstimate: boolean }> {
  const { page: _page, per_page: _perPage, sort: _sort, ...given } = query
  const rest = countedShipments(context.shop.id, search)
  const counted = await countUpTo(context, `shipments ${context.shop.id} ${JSON.stringify(given)}`, rest)
  if (counted !== undefined) return { total: counted, isEstimate: false }
  return { total: Math.max(exactTotalLimit + 1, await estimateRows(context, rest)), isEstimate: true }
}

/** The order's own line items that were chosen by product and variant, with the quantity that is in the parcel. */
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

function plannedOf(context: ShopContext, order: LockedOrder): PlannedOrder {
  return {
    shopId: context.shop.id,
    id: order.id,
    orderPlacedAt: order.orderPlacedAt,
    expectedShipments: order.expectedShipments,
    zipCode: order.zipCode,
    countryCode: countryOf(order),
    now: context.now,
  }
}

async function lockOne(
  context: ShopContext,
  idType: 'uuid' | 'external_id' | 'order_number' | 'order_name',
  id: string,
): Promise<LockedOrder> {
  if (idType === 'uuid' && !isUuid(id)) throw invalid(['body', 'order_id'], 'must be a UUID, as order_id_type says')
  const [order] = await lockOrders(context, [{ shopId: context.shop.id, idType, id }])
  if (order === undefined) throw orderNotFound(id)
  return order
}

/** An order by its uuid, its number or its external id, in this order. */
async function lockAnyName(context: ShopContext, identifier: string): Promise<LockedOrder> {
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
  return new ApiError('shipment_not_found', `There is no shipment ${JSON.stringify(id)} here.`)
}
