import { secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { settle } from './deliveries.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { clock, theService } from './service.ts'
import type { ShopCaller } from './shop.ts'

/**
 * Polls the parcels that are due, and settles what their scans cause. Several times, because one poll may make another
 * due, and a second later each time, because of the providers' limits.
 */
export async function followParcels(service?: Service): Promise<void> {
  const { workers } = service ?? (await theService())
  for (let round = 0; round < 3; round += 1) {
    await workers?.parcels.sweep()
    await workers?.parcels.idle()
    clock.advance(secondMs)
  }
  await settle(service)
}

/** Sends a parcel with this carrier, now. */
export async function sendParcel(
  shop: ShopCaller,
  fields: Record<string, unknown> = {},
): Promise<{ number: string; id: string; orderId: string }> {
  const number = String(fields.tracking_number ?? uniqueNumber('P'))
  const order = await createOrder(shop, { order_placed_at: undefined }, [
    { tracking_number: number, carrier_reference: 'dhl', ...fields },
  ])
  return { number, id: order.trackings[0].id, orderId: order.uuid }
}

export async function eventKeys(shop: ShopCaller, id: string): Promise<string[]> {
  const { events } = (await shop.get(`/shipments/${id}`)).body
  return events.map(({ event_key }: { event_key: string }) => event_key)
}
