import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { PromisedParcel, PromiseFacts, PromiseOutcome } from './outcome.ts'
import type { PromiseState } from './schema.ts'

/** A stored promise with the facts that decide about it. */
export interface StoredPromise extends PromiseFacts {
  orderId: string
  state: PromiseState
  chance: number | null
  deliveredOn: string | null
  checkAt: Date | null
  /** Of the order. */
  zipCode: string | null
  carrierReference: string | null
}

interface PromiseRow extends Omit<StoredPromise, 'parcels'> {
  parcels: (Omit<PromisedParcel, 'createdAt' | 'placedAt' | 'inTransitAt' | 'deliveredAt'> & {
    createdAt: string
    placedAt: string
    inTransitAt: string | null
    deliveredAt: string | null
  })[]
}

/** The orders whose promise is due to be checked. */
export async function listDuePromises(context: Context, shopId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select order_id as id from order_promises
    where shop_id = ${shopId} and check_at <= ${context.now}
    order by check_at
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** The parcels of these orders. */
export async function parcelsOfOrders(context: Context, shopId: string, orderIds: string[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select found.id from unnest(${orderIds}::uuid[]) as wanted (order_id)
    cross join lateral (
      select id from shipments where shop_id = ${shopId} and shipments.order_id = wanted.order_id
      order by order_id limit 200
    ) as found
    order by found.id`.execute(context.db)
  return rows.map(({ id }) => id)
}

/** The promises of these orders, locked until the transaction ends, by order. Orders without one are missing. */
export async function lockPromises(
  context: Context,
  shopId: string,
  orderIds: string[],
): Promise<Map<string, StoredPromise>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<PromiseRow>`
    select promise.order_id as "orderId", latest::text, promise.destination_country as "destinationCountry",
      due_at as "dueAt", state, chance, delivered_on::text as "deliveredOn", check_at as "checkAt",
      promise.carrier_reference as "carrierReference", the_order.*, coalesce((
        select json_agg(json_build_object('id', id, 'isDraft', is_draft, 'direction', direction, 'phase', phase,
          'carrierReference', carrier_reference, 'service', service, 'originCountry', origin_country,
          'destinationCountry', destination_country, 'createdAt', created_at, 'placedAt', placed_at, 'inTransitAt', in_transit_at,
          'deliveredAt', delivered_at) order by created_at, id)
        from shipments
        where shipments.shop_id = ${shopId} and shipments.order_id = promise.order_id
      ), '[]') as parcels
    from (select distinct id from unnest(${orderIds}::uuid[]) as given (id) order by id) as wanted
    cross join lateral (
      select * from order_promises where shop_id = ${shopId} and order_id = wanted.id
      -- Enforces an index lookup for each.
      limit 1
      for update
    ) as promise
    cross join lateral (
      select zip_code as "zipCode", nothing_to_send or handed_over_without_tracking as "isUntold" from orders
      where orders.shop_id = ${shopId} and orders.id = promise.order_id
      limit 1
    ) as the_order`.execute(context.db)
  return new Map(rows.map((row) => [row.orderId, { ...row, parcels: row.parcels.map(toParcel) }]))
}

function toParcel({
  createdAt,
  placedAt,
  inTransitAt,
  deliveredAt,
  ...parcel
}: PromiseRow['parcels'][number]): PromisedParcel {
  return {
    ...parcel,
    createdAt: new Date(createdAt),
    placedAt: new Date(placedAt),
    inTransitAt: inTransitAt === null ? null : new Date(inTransitAt),
    deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
  }
}

/** Writes the outcomes of promises; unchanged ones are not written. */
export async function storeOutcomes(
  context: Context,
  shopId: string,
  outcomes: { promise: StoredPromise; outcome: PromiseOutcome }[],
): Promise<void> {
  const rows = outcomes.flatMap(({ promise, outcome }) => {
    const carrierReference =
      promise.carrierReference ?? promise.parcels.find((parcel) => !parcel.isDraft)?.carrierReference ?? null
    const isSame =
      promise.state === outcome.state &&
      promise.chance === outcome.chance &&
      promise.deliveredOn === outcome.deliveredOn &&
      promise.checkAt?.getTime() === outcome.checkAt?.getTime() &&
      promise.carrierReference === carrierReference
    return isSame ? [] : [{ orderId: promise.orderId, carrierReference, ...outcome }]
  })
  if (rows.length === 0) return
  await sql`
    update order_promises set
      state = given.state, chance = given.chance, delivered_on = given."deliveredOn", check_at = given."checkAt",
      carrier_reference = given."carrierReference",
      decided_at = case when given."isDecided" then coalesce(order_promises.decided_at, ${context.now}) end
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      ("orderId" uuid, state text, chance float8, "deliveredOn" date, "checkAt" timestamptz, "carrierReference" text,
       "isDecided" boolean)
    where order_promises.shop_id = ${shopId} and order_promises.order_id = given."orderId"`.execute(context.db)
}
