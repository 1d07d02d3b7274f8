import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { movedKeyPurpose } from '../../src/platform/store/sealed-columns.ts'
import type { Service } from '../../src/service.ts'
import { createDiscount } from './catalogue.ts'
import { type Filled, fillIn, makePerson, shopIdOf } from './customers.ts'
import { sendParcel } from './parcels.ts'
import { invite } from './people.ts'
import { makeShop, type TestShop } from './shop.ts'
import { payload, senderOf } from './shop-systems.ts'

export interface WholeShop {
  made: TestShop
  id: string
  filled: Filled
}

/** Shops with rows in every table. The workers are stopped, because they would process some of them. */
export async function makeWholeShops(service: Service, count: number): Promise<WholeShop[]> {
  const shops: WholeShop[] = []
  for (let number = 0; number < count; number += 1) shops.push(await makeWholeShop(service))
  await stopWorkers(service)
  for (const { id, filled } of shops) await addWork(service, id, filled.shipmentId)
  return shops
}

async function makeWholeShop(service: Service): Promise<WholeShop> {
  const made = await makeShop({ settings: { carriers_enabled: true } }, service)
  const shop = made.as('admin')
  const filled = await fillIn(service, made, makePerson())
  await shop.post('/deals', { discount_id: await createDiscount(shop), title: 'Socks' })
  await shop.post('/announcements', { text: 'We are late.', language: 'en' })
  await shop.get('/shopware/manifest.xml')
  await shop.put('/shopify/webhook-secret', { webhook_secret: 'a secret of Shopify that is long' })
  await (await senderOf(made, 'shopify')).send('products/create', payload('shopify-product'))
  await shop.post('/settings/triggers/webhook/internal-triggers', {
    name: 'Stuck',
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 48,
    phase_in: ['in_transit'],
  })
  await shop.patch('/settings/mail', { footer: 'Example Street 1, Berlin' })
  await sendParcel(shop)
  await invite([{ shop_slug: made.slug, role: 'viewer' }], {}, service)
  return { made, id: await shopIdOf(service, made), filled }
}

/** Jobs can still be run by hand. */
async function stopWorkers({ schedule, workers }: Service): Promise<void> {
  await schedule.stop()
  await workers?.webhookChecks.stop()
  await workers?.teamMails.stop()
  await workers?.claimDecisions.stop()
  await workers?.catchUps.stop()
  await workers?.backfills.stop()
  await workers?.imports.stop()
  await workers?.orderFetcher.stop()
  await workers?.parcels.stop()
  await workers?.automations.stop()
  await workers?.deliveries.stop()
}

/** Rows that exist only briefly, or that need another company's server. */
async function addWork(service: Service, shopId: string, shipmentId: string): Promise<void> {
  const { db } = service.database
  const { now } = service.context()
  const importId = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
  await sql`
    insert into imports (shop_id, id, filename, status, created_at)
    values (${shopId}, ${importId}, 'orders.csv', 'running', ${now})`.execute(db)
  await sql`
    insert into import_chunks (shop_id, import_id, number, bytes)
    select ${shopId}, ${importId}, number, 'order_number' from generate_series(0, 4) as number`.execute(db)
  await sql`
    insert into import_names (shop_id, import_id, kind, name, row_number)
    values (${shopId}, ${importId}, 'order_number', '1', 1)`.execute(db)
  await sql`
    insert into backfills (shop_id, id, system, days, status, since, until, created_at, updated_at)
    values (${shopId}, ${importId}, 'shopify', 30, 'failed', ${now}, ${now}, ${now}, ${now})`.execute(db)
  await sql`
    insert into backfill_problems (shop_id, backfill_id, number, order_reference, error_key, message)
    values (${shopId}, ${importId}, 1, '#1001', 'order_exists', 'is known')`.execute(db)
  await sql`
    insert into connection_webhooks (shop_id, system, due_at) values (${shopId}, 'woocommerce', ${now})`.execute(db)
  await sql`
    insert into woocommerce_grants (shop_id, actor_kind, actor_id, state_hash, store_url, begun_at, expires_at)
    values (${shopId}, 'key', 'a-key', 'digest', 'https://shop.example', ${now}, ${now})`.execute(db)
  await sql`
    insert into shop_system_catch_ups (shop_id, system, began_at, credentials_at, due_at)
    values (${shopId}, 'woocommerce', ${now}, ${now}, ${now})`.execute(db)
  await sql`
    insert into connection_checks (shop_id, name, result, checked_at) values (${shopId}, 'dhl', 'ok', ${now})`.execute(
    db,
  )
  await sql`
    insert into mail_templates (shop_id, event_group, language, subject, updated_at)
    values (${shopId}, 'shipment_delivered', 'en', 'It is there', ${now})`.execute(db)
  await sql`
    insert into event_feeds (shop_id, id, is_on, last_position, expired_position, read_at)
    values (${shopId}, gen_random_uuid(), true, 1, 0, ${now})`.execute(db)
  await sql`
    insert into feed_arrivals (shop_id, notification_id, ref, triggered_at)
    values (${shopId}, gen_random_uuid(), 'shipments/in_transit/TEST', ${now})`.execute(db)
  await sql`
    insert into feed_entries (shop_id, position, notification_id, ref, triggered_at)
    values (${shopId}, 1, ${importId}, 'shipments/in_transit/TEST', ${now})`.execute(db)
  await sql`
    insert into provider_hours (shop_id, provider, hour, requests, failures)
    values (${shopId}, 'dhl', ${now}, 9, 1)`.execute(db)
  const formerKey = service.context().services.vault.seal('a key', movedKeyPurpose(shopId, 'former'))
  for (let number = 0; number < 4; number += 1) {
    const id = randomUUID()
    const sealed = service.context().services.vault.seal('{}', `team mail ${id}`)
    await sql`
      insert into team_mails (id, shop_id, kind, sealed, created_at, due_at)
      values (${id}, ${shopId}, 'digest', ${sealed}, ${now}, ${now})`.execute(db)
  }
  await sql`
    insert into team_mail_subscriptions (shop_id, person_id, digest, alerts)
    select shop_id, person_id, 'daily', true from person_shops where shop_id = ${shopId}
    on conflict do nothing`.execute(db)
  await sql`
    insert into team_incidents (shop_id, type, target, failing_since, alerted_at)
    values (${shopId}, 'provider', 'dhl', ${now}, ${now})`.execute(db)
  await sql`insert into team_mail_settings (shop_id) values (${shopId}) on conflict do nothing`.execute(db)
  await sql`
    insert into changed_days (shop_id, day) values (${shopId}, ${now})`.execute(db)
  await sql`
    insert into daily_figures (shop_id, day, figures, size, is_open, counted_at)
    values (${shopId}, ${now}, '{}', 0, false, ${now})
    on conflict do nothing`.execute(db)
  await sql`
    insert into shopware_fetches (shop_id, order_id, due_at)
    select ${shopId}, 'order ' || number, ${now} from generate_series(1, 4) as number`.execute(db)
  await sql`
    insert into shopware_fetch_queues (shop_id, fetch_at, blocked_until) values (${shopId}, ${now}, ${now})`.execute(db)
  await sql`insert into woocommerce_fetches select * from shopware_fetches where shop_id = ${shopId}`.execute(db)
  await sql`insert into woocommerce_fetch_queues select * from shopware_fetch_queues where shop_id = ${shopId}`.execute(
    db,
  )
  await sql`
    insert into internal_trigger_firings (shop_id, trigger_id, shipment_id, fired_at)
    select shop_id, id, ${shipmentId}, ${now} from internal_triggers where shop_id = ${shopId}`.execute(db)
  await sql`
    insert into receiver_leases (shop_id, target, worker, leased_until)
    values (${shopId}, 'braze', ${importId}, ${now})
    on conflict do nothing`.execute(db)
  await sql`
    insert into exceptions (shop_id, shipment_id, order_id, kind, severity, other_kinds, since, state, created_at,
      updated_at)
    select shop_id, id, order_id, 'late', 1, '{}', ${now}, 'open', ${now}, ${now} from shipments
    where shop_id = ${shopId} and id = ${shipmentId}
    on conflict do nothing`.execute(db)
  await sql`
    insert into claim_decisions (shop_id, claim_id, status, changes, decided_by, actor_kind, actor_id, decided_at, due_at)
    select shop_id, id, 'accepted', '{}', 'Ada', 'key', '1', ${now}, ${now} from claims where shop_id = ${shopId}
    on conflict do nothing`.execute(db)
  await sql`
    insert into page_views (shop_id, order_id, hour, views, first_viewed_at, last_viewed_at)
    select shop_id, order_id, ${now}, 1, ${now}, ${now} from shipments where shop_id = ${shopId} and id = ${shipmentId}
    on conflict do nothing`.execute(db)
  await sql`
    insert into mail_messages (shop_id, delivery_id, order_id, shipment_id, is_about_parcels, started_at)
    select shop_id, id, order_id, id, true, ${now} from shipments where shop_id = ${shopId} and id = ${shipmentId}`.execute(
    db,
  )
  await sql`
    insert into mail_figures (shop_id, day, event_group, kind, count)
    values (${shopId}, ${now}, 'shipment_in_transit', 'sent', 1)`.execute(db)
  await sql`
    insert into mail_recipients (shop_id, id, digest, masked, suppressed_reason, suppressed_at, created_at)
    values (${shopId}, ${importId}, 'digest', 'm…@example.org', 'bounced', ${now}, ${now})`.execute(db)
  await sql`
    insert into moved_page_links (shop_id, order_id, proof_hash)
    select shop_id, order_id, 'a digest' from shipments where shop_id = ${shopId} and id = ${shipmentId}`.execute(db)
  await sql`
    insert into moved_signing_keys (shop_id, id, sealed) values (${shopId}, 'former', ${formerKey})`.execute(db)
  await sql`
    insert into order_promises (shop_id, order_id, source, latest, promised_at, due_at, state, check_at)
    select shop_id, order_id, 'given', '2026-11-20', ${now}, ${now}, 'open', ${now}
    from shipments where shop_id = ${shopId} and id = ${shipmentId}`.execute(db)
  await sql`
    insert into at_risk_parcels (shop_id, shipment_id, since, promised, chance)
    values (${shopId}, ${shipmentId}, ${now}, '2026-11-20', 0.25)`.execute(db)
  await sql`
    insert into exception_checks (shop_id, shipment_id, check_at) values (${shopId}, ${shipmentId}, ${now})
    on conflict do nothing`.execute(db)
  await sql`
    insert into exception_progress (shop_id, changed_until, changed_id) values (${shopId}, ${now}, ${shipmentId})
    on conflict do nothing`.execute(db)
  await sql`
    insert into parcel_enrolments (shop_id, requested_at, due_at, walked_until, walked_id, is_last_walk)
    values (${shopId}, ${now}, ${now}, ${now}, ${shipmentId}, true)
    on conflict do nothing`.execute(db)
  await sql`
    insert into unmapped_scans (shop_id, provider, code, shipment_id, event_time, event_key, is_recorded)
    values (${shopId}, 'dhl', 'X', ${shipmentId}, ${now}, 'PARCEL_DISPATCHED', true)`.execute(db)
  await sql`
    insert into code_replays (shop_id, provider, code, event_name, requested_at, replayed_shipment, replayed_time)
    values (${shopId}, 'dhl', 'X', 'PARCEL_DISPATCHED', ${now}, ${shipmentId}, ${now})`.execute(db)
  await sql`
    insert into shopify_registrations
      (shop_id, id, webhook_type, shopify_id, topic, hook_url, fields, created_at, updated_at)
    values (${shopId}, ${importId}, 'orders', 1, 'orders/create', 'https://doorstep.example', '{}', ${now}, ${now})`.execute(
    db,
  )
}

/** Every table with a shop, from the database catalogue. */
export async function tenantTables({ database }: Service): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select columns.table_name as table
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'shop_id'
    order by 1`.execute(database.db)
  return rows.map(({ table }) => table)
}

/** How many rows a shop has in each table. */
export async function countsOf(service: Service, shopId: string): Promise<Record<string, number>> {
  return aggregate(service, shopId, sql`count(*)::int`)
}

/** The contents of a shop's rows, as a checksum per table. Stored responses are left out: they expire after a day anyway. */
export async function sumsOf(service: Service, shopId: string): Promise<Record<string, string>> {
  const { idempotent_requests: _forgotten, ...sums } = await aggregate<string>(
    service,
    shopId,
    sql`count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0)`,
  )
  return sums
}

async function aggregate<Value>(
  service: Service,
  shopId: string,
  what: RawBuilder<unknown>,
): Promise<Record<string, Value>> {
  const tables = await tenantTables(service)
  const { rows } = await sql<Record<string, Value>>`select ${sql.join(
    tables.map(
      (table) => sql`(select ${what} from ${sql.table(table)} as t where shop_id = ${shopId}) as ${sql.ref(table)}`,
    ),
  )}`.execute(service.database.db)
  return rows[0] ?? {}
}
