import type { Claim } from '../../claims/claims/schema.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import type { Order } from '../../orders/orders/schema.ts'
import { sharedProof } from '../../orders/shipments/proof.ts'
import type { SharedProof } from '../../orders/shipments/proof-schema.ts'
import type { Tracking } from '../../orders/shipments/schema.ts'
import { toCustomer } from './event-data.ts'

/** The body that a receiver gets. */
export interface Payload {
  source: 'shipments' | 'claims'
  ref: string
  version: 1
  triggered_at: string
  event_group: string
  event_data: Record<string, unknown>
  context: {
    order: Omit<Order, 'trackings'>
    customer: ReturnType<typeof toCustomer>
    shipments: SharedTracking[]
    claims: Claim[]
  }
  shop_slug: string
  shop_id: string
}

/** A shipment as receivers get it. The name of the person who took it and the pictures are for the shop's people. */
export type SharedTracking = Omit<Tracking, 'proof_of_delivery'> & { proof_of_delivery: SharedProof | null }

/** The event with the whole order in its present state. */
export function toPayload(
  event: Pick<RecordedEvent, 'source' | 'ref' | 'eventGroup' | 'now'>,
  eventData: Record<string, unknown>,
  shop: { id: string; slug: string },
  { order, claims }: { order: Order; claims: Claim[] },
): Payload {
  const { trackings, ...fields } = order
  return {
    source: event.source,
    ref: event.ref,
    version: 1,
    triggered_at: event.now.toISOString(),
    event_group: event.eventGroup,
    event_data: eventData,
    context: { order: fields, customer: toCustomer(order), shipments: trackings.map(toShared), claims },
    shop_slug: shop.slug,
    shop_id: shop.id,
  }
}

function toShared(tracking: Tracking): SharedTracking {
  return { ...tracking, proof_of_delivery: sharedProof(tracking.proof_of_delivery) }
}
