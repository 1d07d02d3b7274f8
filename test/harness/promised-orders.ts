import { sql } from 'kysely'
import { promiseId, type ShownPromise } from '../../src/orders/promises/promise-id.ts'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import { shopIdOf } from './customers.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { clock, theService } from './service.ts'
import type { ShopCaller, TestShop } from './shop.ts'

/** A day of the clock, or days after it. */
export function dayIn(days: number): string {
  return after(clock.now(), days * dayMs)
    .toISOString()
    .slice(0, 10)
}

/** The promise of a Berlin parcel, as a shop shows it. */
export function shownPromise(fields: Partial<ShownPromise> = {}): ShownPromise {
  return {
    method: 'Standard',
    carrierReference: 'dhl',
    service: null,
    countryCode: 'DE',
    earliest: dayIn(1),
    likeliest: dayIn(2),
    latest: dayIn(3),
    percentile: 0.9,
    shareByLatest: 0.93,
    sampleSize: 412,
    basis: 'route',
    issuedAt: clock.now(),
    ...fields,
  }
}

/** Its id, as `GET /delivery-promises` gives it out. */
export async function promiseIdOf(made: TestShop, fields: Partial<ShownPromise> = {}): Promise<string> {
  const service = await theService()
  return promiseId(service.context(), await shopIdOf(service, made), shownPromise(fields))
}

/** An order of now with a promise and a parcel by DHL. */
export async function promisedOrder(
  shop: ShopCaller,
  fields: Record<string, unknown>,
  trackings: Record<string, unknown>[] = [{}],
) {
  return createOrder(
    shop,
    { order_placed_at: clock.now().toISOString(), ...fields },
    trackings.map((tracking) => ({ tracking_number: uniqueNumber('P'), carrier_reference: 'dhl', ...tracking })),
  )
}

/** Records a scan of the carrier, now or at a time. */
export async function scan(shop: ShopCaller, shipmentId: string, event_name: string, at = clock.now()): Promise<void> {
  const { status, text } = await shop.post(`/shipments/${shipmentId}/events`, {
    event_name,
    event_time: at.toISOString(),
  })
  if (status !== 200) throw new Error(text)
}

/**
 * Past parcels by DHL within Germany, sent on Mondays of the last 20 weeks: four of five take two days, the fifth takes
 * until Tuesday of the next week. Written without the API, because there are many.
 */
export async function writeJourneys(made: TestShop, perWeek = 10): Promise<void> {
  const service = await theService()
  const shopId = await shopIdOf(service, made)
  const { db } = service.database
  const now = clock.now()
  const sent = sql`(
    select week, n, md5(${made.slug} || week || '-' || n) as noise,
      date_trunc('week', ${now}::timestamptz) - interval '7 days' * (week + 1) + interval '10 hours' as sent_at,
      case when n % 5 = 0 then 8 else 2 end as days
    from generate_series(1, 20) as week, generate_series(1, ${perWeek}::int) as n
  ) as sent`
  const idOf = (kind: string) => sql`('019a0000-000' || ${sql.lit(kind)} || '-7000-8000-' || left(noise, 12))::uuid`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, zip_code,
      details, created_at, updated_at)
    select ${shopId}, ${idOf('3')}, 'J' || noise, 'J' || noise, sent_at, 1, '10115', '{"currency": "EUR"}', sent_at, sent_at
    from ${sent}`.execute(db)
  const deliveredAt = sql`(sent_at + interval '1 day' * days)`
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, destination_country, direction, phase,
      flag, current_event_key, current_event_at, latest_event_at, placed_at, in_transit_at, delivered_at, is_scanned,
      created_at, updated_at)
    select ${shopId}, ${idOf('4')}, ${idOf('3')}, 'J' || noise, 'dhl', 'DE', 'merchant_customer', 'delivered', 'normal',
      'SUCCESSFULLY_DELIVERED', ${deliveredAt}, ${deliveredAt}, sent_at, sent_at, ${deliveredAt}, true, sent_at,
      ${deliveredAt}
    from ${sent}`.execute(db)
}
