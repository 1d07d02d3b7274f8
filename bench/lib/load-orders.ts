import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/platform/foundation/tables.ts'
import type { Database } from '../../src/platform/store/database.ts'
import { type Dataset, firstOrder, orderDetails, uuidOf, zipCodesOf } from './dataset.ts'

const chunk = 50_000
const defaultSpreadDays = 29

/** Fills an empty database. Indexes are created afterwards and foreign keys are not checked: it is our own data. */
export async function loadOrders(database: Database, dataset: Dataset): Promise<void> {
  const { db } = database
  await loadShops(db, dataset)
  await db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    const indexes = await takeIndexes(db)
    for (let from = 0; from < dataset.orders + dataset.drafts; from += chunk) {
      await loadChunk(db, dataset, from, Math.min(from + chunk, dataset.orders + dataset.drafts))
    }
    for (const definition of indexes) await sql.raw(definition).execute(db)
    await sql`set session_replication_role = origin`.execute(db)
    await sql`vacuum analyze`.execute(db)
    await sql`checkpoint`.execute(db)
  })
}

/** Reads the whole database once, so that no result depends on what is still in the server's memory. */
export async function readIntoMemory({ db }: Database): Promise<void> {
  await sql`create extension if not exists pg_prewarm`.execute(db)
  await sql`
    select sum(pg_prewarm(oid)) from pg_class
    where relkind in ('r', 'i', 't') and relpersistence = 'p'`.execute(db)
}

async function loadShops(db: Kysely<Tables>, dataset: Dataset): Promise<void> {
  await sql`
    insert into shops (id, slug, name, language, created_at, updated_at)
    select (${uuidOf.shop}::text || (900000000000 + n))::uuid, 'shop-' || (900000000000 + n), 'River & Pine', 'de',
      ${dataset.now}, ${dataset.now}
    from generate_series(0, ${dataset.shops - 1}::int) as n`.execute(db)
}

/** Drops the indexes that no constraint needs, and returns the statements that create them again. */
async function takeIndexes(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('orders', 'shipments', 'shipment_events')
      and indexname not in (select conname from pg_constraint)`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db)
  return rows.map(({ definition }) => definition)
}

async function loadChunk(db: Kysely<Tables>, dataset: Dataset, from: number, to: number): Promise<void> {
  const total = dataset.orders + dataset.drafts
  const numbered = sql`(
    select number, number - ${firstOrder}::bigint >= ${dataset.orders}::int as is_draft,
      (${uuidOf.shop}::text || (900000000000 + number % ${dataset.shops}::int))::uuid as shop_id,
      (${uuidOf.order}::text || number)::uuid as order_id,
      (${uuidOf.shipment}::text || number)::uuid as shipment_id,
      ${dataset.now}::timestamptz - interval '1 day' * ${sql.lit(dataset.spreadDays ?? defaultSpreadDays)}
        * (1 - (number - ${firstOrder}::bigint)::float / ${total}::int) as placed_at
    from generate_series(${firstOrder + from}::bigint, ${firstOrder + to - 1}::bigint) as number
  )`
  const isDelivered = dataset.isDelivered
    ? sql`(not is_draft and placed_at < ${dataset.now}::timestamptz - interval '5 days')`
    : sql`false`
  const service = dataset.isDelivered
    ? sql`(array['Standard', 'Express', 'Pick-up point'])[1 + number / 3 % 3]`
    : sql`null`
  const country = dataset.isDelivered ? sql`(array['DE', 'DE', 'DE', 'AT', 'FR', 'NL'])[1 + number / 9 % 6]` : sql`'DE'`
  const carrier = dataset.isDelivered ? sql`(array['dhl', 'ups', 'hermes'])[1 + number % 3]` : sql`'dhl'`
  await sql`
    insert into orders (shop_id, id, order_number, external_id, order_name, email_id, zip_code, order_placed_at,
      expected_number_of_shipments, details, created_at, updated_at)
    select shop_id, order_id, number, 'external-' || number, '#' || number, 'customer-' || number || '@example.com',
      10000 + number / ${dataset.shops}::int % ${zipCodesOf(dataset)}::int, placed_at, 1,
      ${JSON.stringify(orderDetails(dataset))}::jsonb, placed_at, placed_at
    from ${numbered} as numbered`.execute(db)
  await sql`
    insert into shipments (shop_id, id, order_id, tracking_number, carrier_reference, tracking_company, service, tracking_url,
      external_shipment_id, direction, phase, flag, current_event_key, current_event_at, latest_event_at, placed_at,
      destination_country, in_transit_at, delivered_at, predicted_from, predicted_to, created_at, updated_at)
    select shop_id, shipment_id, order_id,
      case when not is_draft then 'PARCEL' || number end,
      case when not is_draft then ${carrier} end, case when not is_draft then 'DHL Paket' end, ${service},
      case when not is_draft then 'https://carrier.example/follow?number=PARCEL' || number end,
      case when not is_draft then 'fulfilment-' || number end,
      'merchant_customer',
      case when is_draft then 'order_created' when ${isDelivered} then 'delivered' else 'in_transit' end, 'normal',
      case when is_draft then 'ORDER_CREATED' when ${isDelivered} then 'SUCCESSFULLY_DELIVERED' else 'AT_TRANSPORT_HUB' end,
      placed_at + case when is_draft then interval '0' else interval '4 minutes' end,
      placed_at + case when is_draft then interval '0' else interval '4 minutes' end, placed_at, ${country},
      case when not is_draft then placed_at + interval '2 minutes' end,
      case when ${isDelivered} then placed_at + interval '1 hour' * (24 + number * 7919 % 72) end,
      case when ${isDelivered} then placed_at end, case when ${isDelivered} then placed_at + interval '3 days' end,
      placed_at, placed_at
    from ${numbered} as numbered`.execute(db)
  await sql`
    insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, location, source, is_notified,
      recorded_at)
    select shop_id, shipment_id, placed_at + interval '1 minute' * step, event_key,
      ('019a0003-0000-700' || step || '-8000-' || number)::uuid,
      case when step > 1 then '{"city": "Leipzig", "country_code": "DE"}'::jsonb end, 'api', true, placed_at
    from ${numbered} as numbered
    join (values (0, 'ORDER_CREATED'), (1, 'ORDER_PROCESSED'), (2, 'ACCEPTED_BY_ORIGIN_OFFICE'),
      (3, 'ARRIVED_AT_SORTING_CENTER'), (4, 'AT_TRANSPORT_HUB')) as steps (step, event_key)
      on step = 0 or not is_draft`.execute(db)
}
