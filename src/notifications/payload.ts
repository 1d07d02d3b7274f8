import type { Order } from '../journey/orders/schema.ts'
import type { Tracking } from '../journey/shipments/schema.ts'
import type { Claim } from '../resources/claims/schema.ts'
import { customerOf } from './event-data.ts'

/** What a receiver is sent. */
export interface Payload {
  source: 'shipments' | 'claims'
  ref: string
  version: 1
  triggered_at: string
  event_group: string
  event_data: Record<string, unknown>
  context: {
    order: Omit<Order, 'trackings'>
    customer: ReturnType<typeof customerOf>
    shipments: Tracking[]
    claims: Claim[]
  }
  shop_slug: string
  shop_id: string
}

/** Puts a payload together: the event, and the order's whole world as it is at this moment. */
export function buildPayload(
  event: Pick<Payload, 'source' | 'ref' | 'event_group' | 'event_data'> & { triggeredAt: Date },
  shop: { id: string; slug: string },
  order: Order,
  claims: Claim[],
): Payload {
  const { trackings, ...fields } = order
  return {
    source: event.source,
    ref: event.ref,
    version: 1,
    triggered_at: event.triggeredAt.toISOString(),
    event_group: event.event_group,
    event_data: event.event_data,
    context: { order: fields, customer: customerOf(order), shipments: trackings, claims },
    shop_slug: shop.slug,
    shop_id: shop.id,
  }
}
