import { sql } from 'kysely'
import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { cutPage, offsetOf, type Page, type PageRequest } from '../../platform/foundation/page.ts'

/** A scan whose code the adapter does not know. */
export interface UnknownScan {
  shopId: string
  provider: ProviderName
  code: string
  text: string | null
  shipmentId: string
  eventTime: Date
  now: Date
}

/**
 * Stores scans with unknown codes and returns, by position, as which event each is to be recorded; undefined for one that
 * is stored already, because carriers report the same scans again and again. The codes stay locked until the
 * transaction ends, so that a mapping made meanwhile finds these scans too.
 */
export async function storeUnknownScans(
  context: Context,
  scans: UnknownScan[],
  unmappedName: string,
): Promise<(string | undefined)[]> {
  if (scans.length === 0) return []
  const rows = scans.map((scan, n) => ({
    n,
    shop_id: scan.shopId,
    provider: scan.provider,
    code: scan.code,
    text: scan.text,
    shipment_id: scan.shipmentId,
    event_time: scan.eventTime,
    now: scan.now,
  }))
  const { rows: fresh } = await sql<{ n: number }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (n int, shop_id uuid, provider text, code text, shipment_id uuid, event_time timestamptz)
    ), stored as (
      insert into unmapped_scans (shop_id, provider, code, shipment_id, event_time, event_key, is_recorded)
      select shop_id, provider, code, shipment_id, event_time, ${unmappedName}, true from given
      order by shop_id, provider, code, shipment_id, event_time
      on conflict do nothing
      returning shop_id, provider, code, shipment_id, event_time
    )
    select min(given.n) as n from stored
    join given using (shop_id, provider, code, shipment_id, event_time)
    group by shop_id, provider, code, shipment_id, event_time`.execute(context.db)
  const names: (string | undefined)[] = scans.map(() => undefined)
  if (fresh.length === 0) return names
  const { rows: named } = await sql<{ n: number; event_name: string | null }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(fresh.map(({ n }) => rows[n]))}::json) as given
        (n int, shop_id uuid, provider text, code text, text text, shipment_id uuid, event_time timestamptz,
         now timestamptz)
    ), counted as (
      insert into unmapped_codes (shop_id, provider, code, text, scans, first_seen_at, last_seen_at)
      select shop_id, provider, code, max(text), count(*), min(now), max(now) from given
      group by shop_id, provider, code
      order by shop_id, provider, code
      on conflict (shop_id, provider, code) do update set
        text = coalesce(excluded.text, unmapped_codes.text),
        scans = unmapped_codes.scans + excluded.scans,
        first_seen_at = coalesce(unmapped_codes.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(unmapped_codes.last_seen_at, excluded.last_seen_at)
      returning shop_id, provider, code, event_name
    )
    select given.n, counted.event_name from given join counted using (shop_id, provider, code)`.execute(context.db)
  for (const { n, event_name } of named) names[n] = event_name ?? unmappedName
  return names
}

export interface StoredScan {
  shopId: string
  provider: string
  code: string
  shipmentId: string
  eventTime: Date
  eventKey: string
  isRecorded: boolean
}

/** Records the event of each scan, and whether it was recorded for this scan. */
export async function recordEventsOfScans(context: Context, scans: StoredScan[]): Promise<void> {
  if (scans.length === 0) return
  const rows = scans.map((scan) => ({
    shop_id: scan.shopId,
    provider: scan.provider,
    code: scan.code,
    shipment_id: scan.shipmentId,
    event_time: scan.eventTime,
    event_key: scan.eventKey,
    is_recorded: scan.isRecorded,
  }))
  await sql`
    update unmapped_scans set event_key = given.event_key, is_recorded = given.is_recorded
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (shop_id uuid, provider text, code text, shipment_id uuid, event_time timestamptz, event_key text,
       is_recorded boolean)
    where unmapped_scans.shop_id = given.shop_id and unmapped_scans.provider = given.provider
      and unmapped_scans.code = given.code and unmapped_scans.shipment_id = given.shipment_id
      and unmapped_scans.event_time = given.event_time`.execute(context.db)
}

export interface UnmappedRow {
  provider: string
  code: string
  text: string | null
  scans: number
  first_seen_at: Date | null
  last_seen_at: Date
  event_name: string | null
  shipment_ids: string[]
  parcels: number
}

/** The parcels of a code are counted among so many of its scans. */
export const countedScans = 200

/** How many shipments are listed with a code, as examples. */
const shownShipments = 5

/** One page of a shop's unknown codes, those seen last first. */
export async function listUnmapped(
  context: ShopContext,
  isMapped: boolean,
  request: PageRequest,
): Promise<Page<UnmappedRow>> {
  const { rows } = await sql<UnmappedRow>`
    select provider, code, text, scans, first_seen_at, last_seen_at, event_name, array(
      select shipment_id from unmapped_scans
      where unmapped_scans.shop_id = unmapped_codes.shop_id and unmapped_scans.provider = unmapped_codes.provider
        and unmapped_scans.code = unmapped_codes.code
      order by shipment_id desc
      limit ${sql.lit(shownShipments)}
    ) as shipment_ids, (
      select count(distinct shipment_id) from (
        select shipment_id from unmapped_scans
        where unmapped_scans.shop_id = unmapped_codes.shop_id and unmapped_scans.provider = unmapped_codes.provider
          and unmapped_scans.code = unmapped_codes.code
        order by shipment_id
        limit ${sql.lit(countedScans)}
      ) as counted
    )::int as parcels
    from unmapped_codes
    where shop_id = ${context.shop.id} and is_mapped = ${isMapped}
    order by last_seen_at desc, provider, code
    limit ${request.perPage + 1} offset ${offsetOf(request)}`.execute(context.db)
  // No total: the number of codes is small, and the paging headers work without it.
  return cutPage(request, rows, async () => undefined)
}

/** The numbers of these parcels of the shop. */
export async function findNumbers(context: ShopContext, shipmentIds: string[]): Promise<Map<string, string | null>> {
  if (shipmentIds.length === 0) return new Map()
  const rows = await context.db
    .selectFrom('shipments')
    .where('shop_id', '=', context.shop.id)
    .where('id', 'in', shipmentIds)
    .select(['id', 'tracking_number'])
    .execute()
  return new Map(rows.map(({ id, tracking_number }) => [id, tracking_number]))
}

/** The first scans that had a code. */
export async function listScansOf(
  context: ShopContext,
  provider: ProviderName,
  code: string,
  limit: number,
): Promise<StoredScan[]> {
  const { rows } = await sql<StoredScan>`
    select shop_id as "shopId", provider, code, shipment_id as "shipmentId", event_time as "eventTime",
      event_key as "eventKey", is_recorded as "isRecorded"
    from unmapped_scans
    where shop_id = ${context.shop.id} and provider = ${provider} and code = ${code}
    order by shipment_id, event_time
    limit ${sql.lit(limit)}`.execute(context.db)
  return rows
}

/** The event that a code means to a shop; null if it is not mapped. */
export async function findMapping(context: ShopContext, provider: ProviderName, code: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('unmapped_codes')
    .where('shop_id', '=', context.shop.id)
    .where('provider', '=', provider)
    .where('code', '=', code)
    .select('event_name')
    .executeTakeFirst()
  return row?.event_name ?? null
}

/** Stores what a code means to a shop, and requests that earlier scans of it are replaced. */
export async function mapCode(
  context: ShopContext,
  mapping: { provider: ProviderName; code: string; eventName: string },
): Promise<void> {
  const { provider, code, eventName } = mapping
  await context.db
    .insertInto('unmapped_codes')
    .values({
      shop_id: context.shop.id,
      provider,
      code,
      text: null,
      scans: 0,
      first_seen_at: null,
      last_seen_at: context.now,
      event_name: eventName,
    })
    .onConflict((conflict) => conflict.columns(['shop_id', 'provider', 'code']).doUpdateSet({ event_name: eventName }))
    .execute()
  await requestReplay(context, provider, code, eventName)
}

/**
 * Removes what a code means to a shop, and requests that its scans become unknown again. False if it had no meaning.
 */
export async function unmapCode(
  context: ShopContext,
  { provider, code, unmappedName }: { provider: ProviderName; code: string; unmappedName: string },
): Promise<boolean> {
  const row = await context.db
    .updateTable('unmapped_codes')
    .set({ event_name: null })
    .where('shop_id', '=', context.shop.id)
    .where('provider', '=', provider)
    .where('code', '=', code)
    .where('event_name', 'is not', null)
    .returning('code')
    .executeTakeFirst()
  if (row === undefined) return false
  await requestReplay(context, provider, code, unmappedName)
  return true
}

async function requestReplay(
  context: ShopContext,
  provider: ProviderName,
  code: string,
  eventName: string,
): Promise<void> {
  const replay = {
    event_name: eventName,
    requested_at: context.now,
    replayed_shipment: '00000000-0000-0000-0000-000000000000',
    replayed_time: new Date(0),
  }
  await context.db
    .insertInto('code_replays')
    .values({ shop_id: context.shop.id, provider, code, ...replay })
    .onConflict((conflict) => conflict.columns(['shop_id', 'provider', 'code']).doUpdateSet(replay))
    .execute()
}
