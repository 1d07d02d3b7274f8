import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { endOfDayIn } from './days.ts'
import type { OrderPromise } from './order-promise.ts'
import type { PromisedDelivery } from './schema.ts'

/** The promise of the row named `orders`, as it is shown; null if there is none. */
export const promiseOfOrder: RawBuilder<PromisedDelivery | null> = sql`(
  select json_build_object('earliest', earliest, 'likeliest', likeliest, 'latest', latest, 'method', method,
    'percentile', percentile, 'share_by_latest', share_by_latest, 'sample_size', sample_size, 'basis', basis,
    'source', source, 'state', state, 'chance', chance, 'delivered_on', delivered_on)
  from order_promises
  where order_promises.shop_id = orders.shop_id and order_promises.order_id = orders.id
)`

/** The days that were promised for an order; null in `earliest`: no first day was named. */
export async function findPromisedDays(
  context: Context,
  shopId: string,
  orderId: string,
): Promise<{ earliest: string | null; latest: string } | undefined> {
  const { rows } = await sql<{ earliest: string | null; latest: string }>`
    select earliest::text, latest::text from order_promises
    where shop_id = ${shopId} and order_id = ${orderId}`.execute(context.db)
  return rows[0]
}

export interface PromiseWrite {
  shopId: string
  orderId: string
  /** Of the order, for promises that name none. */
  country: string | null
  promise: OrderPromise
  now: Date
}

/**
 * Stores the promises of orders that the transaction has written or locked. The same promise again changes nothing. Another
 * one replaces it while nothing is delivered to the customer: afterwards it would only be fitted to what happened.
 */
export async function writePromises(context: Context, writes: PromiseWrite[]): Promise<void> {
  if (writes.length === 0) return
  const rows = writes.map(({ shopId, orderId, country, promise, now }) => {
    const destination = promise.countryCode ?? country
    return {
      shop_id: shopId,
      order_id: orderId,
      source: promise.source,
      earliest: promise.earliest,
      likeliest: promise.likeliest,
      latest: promise.latest,
      method: promise.method,
      carrier_reference: promise.carrierReference,
      service: promise.service,
      destination_country: destination?.toUpperCase() ?? null,
      percentile: promise.percentile,
      share_by_latest: promise.shareByLatest,
      sample_size: promise.sampleSize,
      basis: promise.basis,
      promised_at: promise.issuedAt,
      due_at: endOfDayIn(destination, promise.latest),
      now,
    }
  })
  const stated = sql.raw(statedColumns.join(', '))
  const of = (table: string) => sql.raw(statedColumns.map((column) => `${table}.${column}`).join(', '))
  await sql`
    insert into order_promises (shop_id, order_id, ${stated}, carrier_reference, promised_at, due_at, state, check_at)
    select shop_id, order_id, ${stated}, carrier_reference, promised_at, due_at, 'open', now
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, order_id uuid, source text, earliest date, likeliest date, latest date, method text,
       carrier_reference text, service text, destination_country text, percentile float8, share_by_latest float8,
       sample_size int, basis text, promised_at timestamptz, due_at timestamptz, now timestamptz)
    order by shop_id, order_id
    on conflict (shop_id, order_id) do update set
      (${stated}, carrier_reference, promised_at, due_at, state, check_at, chance, delivered_on, decided_at) =
      (${of('excluded')}, excluded.carrier_reference, excluded.promised_at, excluded.due_at, 'open',
        excluded.check_at, null, null, null)
    where (${of('order_promises')}) is distinct from (${of('excluded')})
      and not exists (
        select 1 from shipments
        where shipments.shop_id = excluded.shop_id and shipments.order_id = excluded.order_id
          and shipments.delivered_at is not null and shipments.direction in ('merchant_customer', 'partner_customer')
      )`.execute(context.db)
}

/** The columns that state the promise: if any of them differs, it is another promise. */
const statedColumns = [
  'source',
  'earliest',
  'likeliest',
  'latest',
  'method',
  'service',
  'destination_country',
  'percentile',
  'share_by_latest',
  'sample_size',
  'basis',
]
