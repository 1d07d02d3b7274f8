import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'

export interface ParcelAtRisk {
  shipmentId: string
  /** The last day of the order's promise; null: it is about the parcel's own window. */
  promised: string | null
  chance: number
}

/** Since when each of the parcels is at risk, and whether it is to be announced. */
export interface RecordedRisk {
  since: Date
  isNew: boolean
}

/** Records parcels that are at risk. Each is new once, and again if another day is promised. */
export async function recordAtRisk(
  context: Context,
  shopId: string,
  parcels: ParcelAtRisk[],
): Promise<Map<string, RecordedRisk>> {
  if (parcels.length === 0) return new Map()
  const { rows } = await sql<{ shipmentId: string } & RecordedRisk>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(parcels)}::json) as given
        ("shipmentId" uuid, promised date, chance float8)
    ), known as materialized (
      select known.* from given
      cross join lateral (
        select shipment_id, since, promised, chance from at_risk_parcels
        where shop_id = ${shopId} and shipment_id = given."shipmentId"
        limit 1
      ) as known
    ), written as (
      insert into at_risk_parcels (shop_id, shipment_id, since, promised, chance)
      select ${shopId}, "shipmentId", ${context.now}, given.promised, given.chance
      from given
      left join known on known.shipment_id = given."shipmentId"
      where (known.promised, known.chance) is distinct from (given.promised, given.chance) or known.shipment_id is null
      order by "shipmentId"
      on conflict (shop_id, shipment_id) do update set
        since = case when at_risk_parcels.promised is distinct from excluded.promised then excluded.since
          else at_risk_parcels.since end,
        promised = excluded.promised, chance = excluded.chance
    )
    select given."shipmentId",
      case when known.shipment_id is not null and known.promised is not distinct from given.promised then known.since
        else ${context.now}::timestamptz end as since,
      known.shipment_id is null or known.promised is distinct from given.promised as "isNew"
    from given
    left join known on known.shipment_id = given."shipmentId"`.execute(context.db)
  return new Map(rows.map(({ shipmentId, since, isNew }) => [shipmentId, { since, isNew }]))
}
