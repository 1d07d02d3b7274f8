import type { Context } from '../../foundation/operation.ts'
import { defaultStaleThreshold, type NotifiedParty, notifiedParties } from './integrations.ts'

/** The settings every shop has from its first moment, at their defaults but for what creation asked for. */
export async function createShopSettings(
  context: Context,
  shopId: string,
  wishes: { shipmentUpdates: boolean; triggers: Partial<Record<NotifiedParty, boolean>> },
): Promise<void> {
  await context.db
    .insertInto('shop_settings')
    .values({ shop_id: shopId, shipment_updates: wishes.shipmentUpdates, inbound_secret: null })
    .execute()
  await context.db
    .insertInto('trigger_settings')
    .values(
      notifiedParties.map((integration) => ({
        shop_id: shopId,
        integration,
        // Webhook endpoints are switched on and off one by one; the party as a whole starts live.
        status: wishes.triggers[integration] ?? integration === 'webhook',
        trigger_delivered_all_events: false,
        stale_event_threshold: defaultStaleThreshold(integration),
        segments_enabled: false,
      })),
    )
    .execute()
}
