import type { ProofOfDelivery } from '../../src/orders/shipments/proof-schema.ts'
import type { Service } from '../../src/service.ts'
import { writeProofs } from '../../src/tracking/scans/proof-store.ts'
import { clock } from './service.ts'

/** Stores what a carrier would report about the delivery of this shipment, which has just arrived. */
export async function proveDelivery(
  service: Service,
  shipmentId: string,
  fields: Partial<ProofOfDelivery> = {},
): Promise<void> {
  const { db } = service.database
  const { shop_id: shopId, current_event_at: time } = await db
    .selectFrom('shipments')
    .select(['shop_id', 'current_event_at'])
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const proof = {
    received_by: 'S. Beispiel (Empfang)',
    time: time.toISOString(),
    place: 'Front desk',
    source: 'ups',
    picture_url: 'https://carrier.example/proofs/7',
    signature_url: 'https://carrier.example/signatures/7',
    ...fields,
  }
  await writeProofs(service.context(), [{ shopId, shipmentId, proof, now }])
}
