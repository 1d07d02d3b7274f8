import { sql } from 'kysely'
import type { Service } from '../../src/service.ts'
import { shopIdOf } from './customers.ts'
import { loadRows } from './plans.ts'
import type { TestShop } from './shop.ts'

/**
 * Two months of a shop that sells about `perDay` orders a day, more at the end, with three carriers of which one is slow;
 * written without the API, because there are many.
 */
export async function writeHistory(service: Service, made: TestShop, perDay: number): Promise<void> {
  const shopId = await shopIdOf(service, made)
  const { now } = service.context()
  // A week has two quiet days; numbers that look random and are the same in every run.
  const sold = sql`(
    select day, n, 'H' || day || '-' || n as number, md5(day || '-' || n) as noise,
      ${now}::timestamptz - interval '1 day' * day - interval '1 minute' * (n * 7 % 600) as placed_at
    from generate_series(0, 64) as day,
      generate_series(1, (${perDay}::int * (1.25 - day / 130.0) * case when day % 7 in (1, 2) then 0.55 else 1 end
        + (day * 37 % 11))::int) as n
  ) as sold`
  const part = sql`(('x' || left(noise, 2))::bit(8)::int)`
  const carrier = sql`(array['dhl', 'dhl', 'dhl', 'gls', 'hermes'])[1 + ${part} % 5]`
  const hours = sql`(24 + ${part} % 60 + case ${carrier} when 'hermes' then 40 else 0 end)`
  const arrivedAt = sql`(placed_at + interval '1 hour' * ${hours})`
  await loadRows(service.database.db, async (db) => {
    await sql`
      insert into orders (shop_id, id, order_number, external_id, order_placed_at, expected_number_of_shipments, details,
        created_at, updated_at)
      select ${shopId}, ${idOf('1')}, number, number, placed_at, 1, '{"currency": "EUR"}', placed_at, placed_at
      from ${sold}`.execute(db)
    await sql`
      insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, direction, phase, flag,
        current_event_key, current_event_at, latest_event_at, placed_at, in_transit_at, delivered_at, predicted_from,
        predicted_to, is_scanned, created_at, updated_at)
      select ${shopId}, ${idOf('2')}, ${idOf('1')}, number, ${carrier}, 'merchant_customer',
        case when ${arrivedAt} < ${now} then 'delivered' when day = 0 then 'order_processed' else 'in_transit' end, 'normal',
        case when ${arrivedAt} < ${now} then 'SUCCESSFULLY_DELIVERED' when day = 0 then 'ORDER_PROCESSED'
          else 'PARCEL_DISPATCHED' end,
        least(${arrivedAt}, ${now}), least(${arrivedAt}, ${now}), placed_at, placed_at,
        case when ${arrivedAt} < ${now} then ${arrivedAt} end, placed_at, placed_at + interval '76 hours', true, placed_at,
        least(${arrivedAt}, ${now})
      from ${sold}`.execute(db)
  })
}

function idOf(kind: string) {
  return sql`('019a0000-000' || ${sql.lit(kind)} || '-7000-8000-' || left(md5(${sql.ref('number')}), 12))::uuid`
}
