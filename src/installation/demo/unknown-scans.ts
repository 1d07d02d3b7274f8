import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { recordReports } from '../../tracking/scans/record.ts'
import type { DemoParts } from './parts.ts'

/** A code that no table knows: it waits in the inbox until somebody maps it. */
const unknown = { code: 'InTransit_027', text: 'Parcel is waiting for consolidation at partner depot' }
const seenOn = ['979889373583', 'H1597602069517306204']

export async function reportUnknownScans(context: ShopContext, { scans }: DemoParts): Promise<void> {
  const parcels = seenOn.flatMap((number) => scans.find(({ trackingNumber }) => trackingNumber === number) ?? [])
  await recordReports(
    context,
    parcels.map(({ shopId, shipmentId, trackingNumber, eventTime }) => ({
      shopId,
      shipmentId,
      provider: 'aftership' as const,
      fulfilledAt: eventTime,
      report: {
        trackingNumber,
        scans: [{ ...unknown, eventName: undefined, time: after(eventTime, hourMs), timezone: null, location: null }],
      },
      isNotified: false,
      now: context.now,
    })),
  )
}
