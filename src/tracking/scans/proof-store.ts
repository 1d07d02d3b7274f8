import { sql } from 'kysely'
import type { ProofOfDelivery } from '../../orders/shipments/proof-schema.ts'
import type { Context } from '../../platform/foundation/context.ts'

interface ShipmentKey {
  shopId: string
  shipmentId: string
}

/** Locks shipments, in the order of all writers, and returns what is known of their deliveries, by id. */
export async function lockProofs(
  context: Context,
  shipments: readonly ShipmentKey[],
): Promise<Map<string, ProofOfDelivery | null>> {
  const given = shipments.map(({ shopId, shipmentId }) => ({ shop_id: shopId, id: shipmentId }))
  const { rows } = await sql<{ id: string; proof: ProofOfDelivery | null }>`
    select found.id, found.proof_of_delivery as proof
    from (
      select distinct shop_id, id from json_to_recordset(${JSON.stringify(given)}::json) as given (shop_id uuid, id uuid)
      order by shop_id, id
    ) as given
    cross join lateral (
      select id, proof_of_delivery from shipments
      where shipments.shop_id = given.shop_id and shipments.id = given.id
      -- An index lookup for each, whatever the planner thinks of their number.
      limit 1
      for no key update
    ) as found`.execute(context.db)
  return new Map(rows.map(({ id, proof }) => [id, proof]))
}

/** Writes the proofs of locked shipments, except of orders whose customer was erased meanwhile. */
export async function writeProofs(
  context: Context,
  proofs: (ShipmentKey & { proof: ProofOfDelivery; now: Date })[],
): Promise<void> {
  if (proofs.length === 0) return
  const rows = proofs.map(({ shopId, shipmentId, proof, now }) => ({ shop_id: shopId, id: shipmentId, proof, now }))
  await sql`
    update shipments set proof_of_delivery = given.proof, updated_at = greatest(shipments.updated_at, given.now)
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (shop_id uuid, id uuid, proof jsonb, now timestamptz)
    where shipments.shop_id = given.shop_id and shipments.id = given.id and not exists (
      select 1 from orders
      where orders.shop_id = shipments.shop_id and orders.id = shipments.order_id and orders.erased_at is not null
    )`.execute(context.db)
}
