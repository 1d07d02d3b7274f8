import type { ShopContext } from '../foundation/context.ts'
import { updateCarrierSettings } from '../resources/settings/operations.ts'
import { updateTrackingProviders } from '../resources/tracking/provider-operations.ts'
import type { CustomerName } from './customers.ts'
import { type DemoOrder, parcel } from './order.ts'
import { perform } from './perform.ts'
import { type Line, line } from './products.ts'

/**
 * Parcels of the sandbox, handed over the moment the shop is made: who looks sees them move within a minute. Their
 * numbers say what becomes of them and how long each step takes.
 */
export const moving: readonly DemoOrder[] = [
  movingOrder('leyla', line('delta', 'Black / M'), 'SBX-DELIVERED-15S-RP1'),
  movingOrder('magdalena', line('juniper', 'Pine'), 'SBX-LOCKER-30S-RP2'),
  movingOrder('noemi', line('otter', 'Slate'), 'SBX-DELAYED-60S-RP3'),
]

/** Has the shop's parcels followed, those of the sandbox in production too. */
export async function followParcels(context: ShopContext): Promise<void> {
  await perform(context, updateTrackingProviders, { sandbox: { status: 'live' } })
  await perform(context, updateCarrierSettings, { shipment_updates: true })
}

function movingOrder(customer: CustomerName, ordered: Line, trackingNumber: string): DemoOrder {
  return {
    customer,
    lines: [ordered],
    placedHoursAgo: 2,
    parcels: [parcel('sandbox', trackingNumber, 0, 'notScanned', { isSentNow: true })],
  }
}
