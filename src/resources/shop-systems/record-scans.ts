import { getMeaning, isAllowedForDrafts } from '../../catalogue/catalogue.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { recordAndPublish } from '../../journey/events/record.ts'
import type { IncomingEvent } from '../../journey/events/store.ts'
import { filterUnrecorded } from '../../journey/events/unrecorded-store.ts'
import { findKnownShipments, type KnownShipment } from '../../journey/orders/store.ts'
import { chooseProvider } from '../tracking/rules.ts'
import { readShopTracking } from '../tracking/shop-tracking.ts'
import type { OrderSnapshot } from './rules.ts'
import { newScans } from './scans.ts'

/**
 * Records tracking steps that the shop system has newly reported. Parcels that a tracking provider follows are skipped:
 * it knows more and would report the same steps again.
 */
export async function recordScans(
  context: ShopContext,
  system: string,
  orderId: string,
  before: OrderSnapshot,
  next: OrderSnapshot,
): Promise<void> {
  const steps = Object.entries(next.fulfilments).flatMap(([id, { isActive, parcels, scans }]) => {
    const known = before.fulfilments[id]
    // Steps may arrive before their fulfilment, and a fulfilment before its order.
    const wasRecorded = before.isApplied && known?.isActive && known.parcels.length > 0
    return isActive
      ? newScans(wasRecorded ? known.scans : undefined, scans).flatMap((scan) =>
          parcels.map(({ tracking_number }) => ({ ...scan, trackingNumber: tracking_number })),
        )
      : []
  })
  if (steps.length === 0) return
  const shopId = context.shop.id
  const shipments = (await findKnownShipments(context, [{ shopId, id: orderId }])).get(orderId) ?? []
  const unfollowed = await leaveOutFollowed(context, shipments)
  // Of the past, providers may know nothing any more, and parcels that have arrived are not followed.
  const arrived = context.isSilent ? arrivedNumbers(steps) : new Set<string>()
  const recorded = shipments.filter((one) => unfollowed.includes(one) || arrived.has(one.trackingNumber ?? ''))
  const events = steps.flatMap(({ code, eventName, time, trackingNumber }): IncomingEvent[] => {
    const shipment = recorded.find((one) => one.trackingNumber === trackingNumber)
    if (shipment === undefined) return []
    const meaning = getMeaning(eventName)
    const eventTime = new Date(time)
    return [
      {
        shopId,
        shipmentId: shipment.id,
        trackingNumber: null,
        eventKey: meaning.name,
        phase: meaning.phase,
        flag: meaning.flag,
        movesPhase: meaning.movesPhase,
        isAllowedForDrafts: isAllowedForDrafts(meaning),
        eventTime: eventTime < context.now ? eventTime : context.now,
        externalId: `${system}:${code}`,
        timezone: null,
        location: null,
        additionalInfo: null,
        source: 'carrier',
        isNotified: true,
        now: context.now,
      },
    ]
  })
  const unrecorded = await filterUnrecorded(context, events)
  if (unrecorded.length > 0) await recordAndPublish(context, unrecorded)
}

function arrivedNumbers(steps: { eventName: string; trackingNumber: string }[]): Set<string> {
  const delivered = steps.filter(({ eventName }) => getMeaning(eventName).phase === 'delivered')
  return new Set(delivered.map(({ trackingNumber }) => trackingNumber))
}

async function leaveOutFollowed(context: ShopContext, shipments: KnownShipment[]): Promise<KnownShipment[]> {
  const { isOn, providers } = await readShopTracking(context, context.shop.id)
  if (!isOn) return shipments
  return shipments.filter(
    ({ carrierReference }) => carrierReference === null || chooseProvider(carrierReference, providers) === undefined,
  )
}
