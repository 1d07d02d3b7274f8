import { sql } from 'kysely'
import type { Database } from '../../src/platform/store/database.ts'
import { type Dataset, firstOrder, shopSlug } from './dataset.ts'

/**
 * Activity in a data set's shop: two deliveries per parcel, a failed attempt for one in fifty, a claim for one
 * in a hundred, and a campaign that one customer in ten sees. Triggers are off, as for orders.
 */
export async function loadActivity({ db }: Database, dataset: Dataset): Promise<void> {
  const shop = sql`(select id from shops where slug = ${shopSlug(900_000_000_000)})`
  const time = sql`(lpad(to_hex((extract(epoch from shipments.created_at) * 1000)::bigint), 12, '0'))`
  const number = sql`right(shipments.id::text, 12)::bigint`
  await db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await sql`insert into shop_settings (shop_id) values (${shop})`.execute(db)
    await sql`
      insert into webhook_endpoints (shop_id, id, url, url_since, enabled_events, secret, secret_since, status,
        created_at, updated_at)
      select id, ${endpointId}, 'https://shop.example/hook', ${dataset.now}, '{}', '', ${dataset.now}, 'active', ${dataset.now}, ${dataset.now}
      from shops where id = ${shop}`.execute(db)
    await sql`
      insert into campaigns (shop_id, id, name, segment, promotion_type, promotion_properties, enabled, start_date,
        created_at, updated_at)
      select id, ${endpointId}, 'Autumn sale', 'default', 'basic', '{}', false, ${dataset.now}, ${dataset.now}, ${dataset.now}
      from shops where id = ${shop}`.execute(db)
    await sql`
      insert into deliveries (shop_id, id, notification_id, target, shipment_id, event_name, event_group, status, attempts,
        next_attempt_at, created_at, finished_at)
      select shop_id, (${time} || '7' || lpad(to_hex(n), 3, '0') || substr(md5(shipments.id::text), 1, 16))::uuid,
        shipments.id, case n when 1 then ${endpointId} else 'klaviyo' end, shipments.id,
        case n when 1 then 'ORDER_PROCESSED' else 'IN_DELIVERY' end, 'group',
        case when ${number} % 50 = 0 then 'dead' else 'delivered' end, 1, created_at, created_at, created_at
      from shipments, generate_series(1, 2) as n
      where not is_draft`.execute(db)
    await sql`
      insert into shipment_events (shop_id, shipment_id, event_time, event_key, id, source, is_notified, recorded_at)
      select shop_id, shipments.id, created_at + interval '1 day', 'DELIVERY_ATTEMPTED', gen_random_uuid(), 'api', false,
        created_at
      from shipments where not is_draft and ${number} % 50 = 0`.execute(db)
    await sql`
      insert into claims (shop_id, id, order_id, shipment_id, reason, status, details, created_at, updated_at)
      select shop_id, shipments.id, order_id, shipments.id, 'damage', 'pending', '{}', created_at, created_at
      from shipments where not is_draft and ${number} % 100 = 0`.execute(db)
    await sql`
      insert into campaign_views (shop_id, subject_id, action, customer, day, order_id, recorded_at)
      select shop_id, ${endpointId}, 'exposure', sha256(shipments.id::text::bytea), created_at::date, order_id, created_at
      from shipments where not is_draft and ${number} % 10 = 0`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
    await sql`vacuum analyze`.execute(db)
  })
}

const endpointId = `019a0009-0000-7000-8000-${firstOrder}`
