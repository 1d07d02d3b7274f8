import type { ShopContext } from '../../platform/foundation/context.ts'
import { updateCarrierSettings } from '../../shops/settings/operations.ts'
import { updateTrackingProviders } from '../../tracking/providers/operations.ts'
import type { CustomerName } from './customers.ts'
import type { DemoOrder } from './order.ts'
import { perform } from './perform.ts'
import { type Line, line } from './products.ts'

/**
 * Sandbox parcels, handed over when the shop is created, so that they move within a minute. Their numbers encode the
 * journey and the duration of a step.
 */
export const moving: readonly DemoOrder[] = [
  movingOrder('leyla', line('delta', 'Black / M'), 'SBX-DELIVERED-15S-RP1'),
  movingOrder('magdalena', line('juniper', 'Pine'), 'SBX-LOCKER-30S-RP2'),
  movingOrder('noemi', line('otter', 'Slate'), 'SBX-DELAYED-60S-RP3'),
]

/** Switches parcel tracking on, including the sandbox in production. */
export async function followParcels(context: ShopContext): Promise<void> {
  await perform(context, updateTrackingProviders, { sandbox: { status: 'live' } })
  await perform(context, updateCarrierSettings, { shipment_updates: true })
}

function movingOrder(customer: CustomerName, ordered: Line, trackingNumber: string): DemoOrder {
  return {
    customer,
    lines: [ordered],
    placedHoursAgo: 2,
    parcels: [{ carrier: 'sandbox', trackingNumber, sentDaysAgo: 0, journey: 'notScanned', isSentNow: true }],
  }
}
