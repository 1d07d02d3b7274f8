import type { OutgoingEvent } from '../../adapters/marketing/integration.ts'
import type { Payload } from './payload.ts'

/** A payload as the adapters of marketing systems map it. */
export function toOutgoingEvent(id: string, eventGroup: string, payload: Payload): OutgoingEvent {
  return {
    id,
    source: payload.source,
    ref: payload.ref,
    eventGroup,
    triggeredAt: payload.triggered_at,
    shopSlug: payload.shop_slug,
    eventData: { ...payload.event_data, event_group: eventGroup },
    customer: payload.context.customer,
    payload: payload as unknown as Record<string, unknown>, // adapters read it field by field
  }
}
