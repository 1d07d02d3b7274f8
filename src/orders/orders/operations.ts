import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import type { Warnings } from '../../platform/foundation/lenient.ts'
import { created, operation, ReplyWithHeaders } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { instant, NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type OrderPromise, type PromiseFields, promiseIn } from '../promises/order-promise.ts'
import { auditedOrder } from './audit.ts'
import type { OrderWrite } from './decide.ts'
import { attributionFields } from './parts.ts'
import { toOrder } from './present.ts'
import { checkUpsert, checkZipCode, withoutNulls } from './rules.ts'
import {
  type AttributionUpsert,
  AttributionUpsert as AttributionUpsertSchema,
  BulkUpsert,
  Order,
  OrderFilter,
  OrderPlacement,
  OrderUpdate,
  OrderUpsert,
} from './schema.ts'
import { listOrders } from './search-store.ts'
import { findOrder, type LockedOrder, lockOrders, type StoredOrder, updateOrders } from './store.ts'
import { placementUpsert, type WriteOutcome, writeOrder, writeOrders } from './upsert.ts'
import { withoutCustomer } from './without-customer.ts'

export const searchOrders = operation({
  name: 'searchOrders',
  summary: 'Search orders',
  description: 'Returns the newest orders first; with `shipment_updated_since`, those whose shipments changed last.',
  area: 'Orders',
  route: 'GET /v1/shops/{slug}/orders',
  reads: 'replica',
  needs: 'viewer',
  query: OrderFilter,
  reply: PageOf(Order),
  async handle(context, { query }) {
    const page = await listOrders(context, query)
    return { ...page, items: page.items.map((order) => toOrder(context, order)) }
  },
})

export const placeOrder = operation({
  name: 'placeOrder',
  summary: 'Record an order placed in the shop',
  description: 'If the shop already has an order with this order_number, nothing changes and the response is the same.',
  area: 'Orders',
  route: 'POST /v1/shops/{slug}/orders',
  needs: 'editor',
  body: OrderPlacement,
  reply: NullReply,
  errors: ['order_exists', 'zip_code_invalid'],
  audit: { ...auditedOrder, only: 'by hand' },
  async handle(context, { body, warnings }) {
    checkZipCode(body.address, ['body', 'address', 'zip_code'])
    const orderId = getOrderId(
      await writeOrder(context, {
        shopId: context.shop.id,
        now: context.now,
        upsert: placementUpsert(body),
        promise: promiseOf(context, body, ['body'], warnings),
        isPlacement: true,
        loc: ['body'],
      }),
    )
    return created(orderPath(context, orderId), null)
  },
})

export const upsertOrder = operation({
  name: 'upsertOrder',
  summary: 'Create, update or fulfil an order',
  description:
    'With `order`, creates the order or replaces its given fields. Each new tracking number in `trackings` fulfils a draft shipment, or adds a shipment. Sending the same again changes nothing.',
  area: 'Orders',
  route: 'PUT /v1/shops/{slug}/orders',
  needs: 'editor',
  body: OrderUpsert,
  reply: NullReply,
  errors: ['order_not_found', 'order_exists', 'zip_code_invalid', 'carrier_reference_invalid'],
  audit: {
    kind: 'order',
    only: 'by hand',
    outcome: (_context, { body }) => ({
      tracking_numbers: body.trackings.map(({ tracking_number }) => tracking_number),
    }),
  },
  async handle(context, { body, warnings }) {
    checkUpsert(body, ['body'])
    const orderId = getOrderId(await writeOrder(context, upsertOf(context, body, ['body'], warnings)))
    return new ReplyWithHeaders(null, { location: orderPath(context, orderId) })
  },
})

export const fulfilOrders = operation({
  name: 'fulfilOrders',
  summary: 'Fulfil orders in bulk',
  description: 'Up to 1,000 upserts, all or nothing: if one is rejected, nothing is written.',
  area: 'Orders',
  route: 'PUT /v1/shops/{slug}/orders/bulk',
  needs: 'editor',
  body: BulkUpsert,
  reply: NullReply,
  errors: ['order_not_found', 'order_exists', 'zip_code_invalid', 'carrier_reference_invalid'],
  audit: {
    kind: 'order',
    only: 'by hand',
    id: () => undefined,
    outcome: (_context, { body }) => ({ orders: body.length }),
  },
  handle: (context, { body, warnings }) =>
    inTransaction(context, async (context) => {
      const writes = body.map((upsert, index) => {
        checkUpsert(upsert, ['body', index])
        return upsertOf(context, upsert, ['body', index], warnings)
      })
      const outcomes = await writeOrders(context, writes)
      for (const [index, outcome] of outcomes.entries()) if ('error' in outcome) throw locateError(outcome.error, index)
      return null
    }),
})

export const upsertAttribution = operation({
  name: 'upsertAttribution',
  summary: 'Record where an order came from',
  description: 'Overwrites every attribution field, with null if it is absent. Other order analytics stay unchanged.',
  area: 'Orders',
  route: 'PUT /v1/shops/{slug}/orders/analytics',
  needs: 'editor',
  body: AttributionUpsertSchema,
  reply: NullReply,
  errors: ['order_not_found'],
  audit: { kind: 'order', only: 'by hand', id: (_context, { body }) => body.id },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const order = await lockOrder(context, body)
      const attributed = { ...order, analytics: { ...order.analytics, ...attributionOf(body) } }
      const next = order.isErased ? withoutCustomer(attributed) : attributed
      await updateOrders(context, [{ ...next, now: context.now }])
      return null
    }),
})

export const getOrder = operation({
  name: 'getOrder',
  summary: 'Get an order with its shipments and their events',
  area: 'Orders',
  route: 'GET /v1/shops/{slug}/orders/{order_id}',
  needs: 'viewer',
  reply: Order,
  errors: ['order_not_found'],
  async handle(context, { path }) {
    return toOrder(context, await getStored(context, path.order_id))
  },
})

export const updateOrder = operation({
  name: 'updateOrder',
  summary: 'Update an order',
  description: 'Changing expected_number_of_shipments adds or removes only draft shipments.',
  area: 'Orders',
  route: 'PATCH /v1/shops/{slug}/orders/{order_id}',
  needs: 'editor',
  body: OrderUpdate,
  reply: Order,
  errors: ['order_not_found', 'zip_code_invalid'],
  audit: { ...auditedOrder, only: 'by hand' },
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      const { address } = (await getStored(context, path.order_id)).details as { address?: object }
      const merged = body.address ? { ...address, ...withoutNulls(body.address) } : undefined
      checkZipCode(body.address, ['body', 'address', 'zip_code'])
      const [outcome] = await writeOrders(context, [
        upsertOf(
          context,
          {
            id: path.order_id,
            id_type: 'uuid',
            order: {
              ...(merged ? { address: merged } : {}),
              expected_number_of_shipments: body.expected_number_of_shipments,
            },
            trackings: [],
          },
          ['body'],
        ),
      ])
      if (outcome) getOrderId(outcome)
      return toOrder(context, await getStored(context, path.order_id))
    }),
})

function upsertOf(
  context: ShopContext,
  upsert: OrderUpsert,
  loc: (string | number)[],
  warnings?: Warnings,
): OrderWrite {
  const promise = promiseOf(context, upsert.order, [...loc, 'order'], warnings)
  return { shopId: context.shop.id, now: context.now, upsert, promise, isPlacement: false, loc }
}

/** The promise that an order names. One that does not count is ignored with a warning. */
function promiseOf(
  context: ShopContext,
  order: PromiseFields | null | undefined,
  loc: (string | number)[],
  warnings: Warnings | undefined,
): OrderPromise | undefined {
  if (!order?.promise_id && !order?.promised_delivery) return undefined
  const { promise, ignored } = promiseIn(context, context.shop.id, order)
  for (const { field, msg } of ignored) warnings?.add([...loc, field], () => msg)
  return promise
}

function getOrderId(outcome: WriteOutcome): string {
  if ('error' in outcome) throw outcome.error
  return outcome.orderId
}

/** Adds the index of the bulk item to its error. */
function locateError(error: ApiError, index: number): ApiError {
  const problems = error.problems.length > 0 ? error.problems : invalid(['body', index], error.message).problems
  return new ApiError(error.key, `item ${index}: ${error.message}`, { problems })
}

function orderPath(context: ShopContext, orderId: string): string {
  return `/v1/shops/${context.shop.slug}/orders/${orderId}`
}

async function lockOrder(context: ShopContext, name: AttributionUpsert): Promise<LockedOrder> {
  const idType = name.id_type ?? 'order_number'
  checkUpsert({ id: name.id, id_type: idType, trackings: [] }, ['body'])
  const [order] = await lockOrders(context, [{ shopId: context.shop.id, idType, id: name.id }])
  if (order === undefined)
    throw new ApiError('order_not_found', `There is no order with the ${idType} ${JSON.stringify(name.id)}.`)
  return order
}

function attributionOf(body: AttributionUpsert): Record<string, unknown> {
  const names = Object.keys(attributionFields) as (keyof typeof attributionFields)[]
  const given = Object.fromEntries(names.map((name) => [name, body[name] ?? null]))
  const capturedAt = body.captured_at ? instant(body.captured_at).toISOString() : null
  return { ...given, captured_at: capturedAt, source: body.source ?? 'trackpages' }
}

async function getStored(context: ShopContext, id: string): Promise<StoredOrder> {
  const order = await findOrder(context, id)
  if (order === undefined) throw new ApiError('order_not_found', `There is no order ${id} in this shop.`)
  return order
}
