import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { StoredScan } from '../scans/unmapped-store.ts'

export interface Replay {
  shop_id: string
  provider: string
  code: string
  event_name: string
  replayed_shipment: string
  replayed_time: Date
}

/** The oldest mapping that is still to be applied, for this transaction alone. */
export async function leaseReplay(context: Context): Promise<Replay | undefined> {
  return context.db
    .selectFrom('code_replays')
    .orderBy('requested_at')
    .selectAll()
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** The next scans of a replay, in the order of its cursor. */
export async function listScans(context: Context, replay: Replay, batchSize: number): Promise<StoredScan[]> {
  const { rows } = await sql<StoredScan>`
    select shop_id as "shopId", provider, code, shipment_id as "shipmentId", event_time as "eventTime",
      event_key as "eventKey", is_recorded as "isRecorded"
    from unmapped_scans
    where shop_id = ${replay.shop_id} and provider = ${replay.provider} and code = ${replay.code}
      and (shipment_id, event_time) > (${replay.replayed_shipment}::uuid, ${replay.replayed_time}::timestamptz)
    order by shipment_id, event_time
    limit ${sql.lit(batchSize)}
    for no key update`.execute(context.db)
  return rows
}

/**
 * Scans of other codes may stand for the same event at the same time: the event is theirs from now on. Returns the scans
 * whose event has no other scan.
 */
export async function handOverEvents(context: Context, scans: StoredScan[]): Promise<StoredScan[]> {
  if (scans.length === 0) return []
  const rows = scans.map((scan, n) => ({
    n,
    shop_id: scan.shopId,
    provider: scan.provider,
    code: scan.code,
    shipment_id: scan.shipmentId,
    event_time: scan.eventTime,
    event_key: scan.eventKey,
  }))
  const { rows: handedOver } = await sql<{ n: number }>`
    with heirs as materialized (
      select distinct on (given.n) given.n, other.shop_id, other.provider, other.code, other.shipment_id, other.event_time
      from json_to_recordset(${JSON.stringify(rows)}::json) as given
        (n int, shop_id uuid, provider text, code text, shipment_id uuid, event_time timestamptz, event_key text)
      join unmapped_scans as other
        on other.shop_id = given.shop_id and other.shipment_id = given.shipment_id
        and other.event_time = given.event_time and other.event_key = given.event_key
        and (other.provider, other.code) <> (given.provider, given.code)
    )
    update unmapped_scans set is_recorded = true
    from heirs
    where unmapped_scans.shop_id = heirs.shop_id and unmapped_scans.provider = heirs.provider
      and unmapped_scans.code = heirs.code and unmapped_scans.shipment_id = heirs.shipment_id
      and unmapped_scans.event_time = heirs.event_time
    returning heirs.n`.execute(context.db)
  const given = new Set(handedOver.map(({ n }) => n))
  return scans.filter((_, n) => !given.has(n))
}

/** Records how far a replay has come; without a last scan it is done. */
export async function moveReplay(context: Context, replay: Replay, last: StoredScan | undefined): Promise<void> {
  const { shop_id, provider, code } = replay
  const named = { shop_id, provider, code }
  if (last === undefined) {
    await context.db
      .deleteFrom('code_replays')
      .where((where) => where.and(named))
      .execute()
    return
  }
  await context.db
    .updateTable('code_replays')
    .set({ replayed_shipment: last.shipmentId, replayed_time: last.eventTime })
    .where((where) => where.and(named))
    .execute()
}
