import { recordAndPublish } from '../../orders/events/record.ts'
import { inOrderOfTime } from '../../orders/events/rules.ts'
import type { IncomingEvent } from '../../orders/events/store.ts'
import { filterUnrecorded } from '../../orders/events/unrecorded-store.ts'
import { findKnownShipments, type KnownShipment } from '../../orders/orders/store.ts'
import { getMeaning, isAllowedForDrafts } from '../../platform/catalogue/catalogue.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { chooseProvider } from '../../tracking/scans/rules.ts'
import { readShopTracking } from '../../tracking/scans/shop-tracking.ts'
import type { WrittenSnapshot } from './rules.ts'
import { newScans, type ScanSnapshot } from './scans.ts'

/**
 * Records tracking steps that the shop system has newly reported. Parcels that a tracking provider follows are skipped:
 * it knows more and would report the same steps again.
 */
export async function recordScans(context: ShopContext, system: string, written: WrittenSnapshot[]): Promise<void> {
  const reported = written.flatMap((snapshot) => {
    const steps = stepsOf(snapshot)
    return steps.length === 0 ? [] : [{ orderId: snapshot.orderId, steps }]
  })
  if (reported.length === 0) return
  const shopId = context.shop.id
  const known = await findKnownShipments(
    context,
    reported.map(({ orderId }) => ({ shopId, id: orderId })),
  )
  const isFollowed = await followedShipments(context)
  const events = reported.flatMap(({ orderId, steps }) => {
    // Of the past, providers may know nothing any more, and parcels that have arrived are not followed.
    const arrived = context.isSilent ? arrivedNumbers(steps) : new Set<string>()
    const shipments = (known.get(orderId) ?? []).filter(
      (one) => !isFollowed(one) || arrived.has(one.trackingNumber ?? ''),
    )
    return steps.flatMap((step): IncomingEvent[] => {
      const shipment = shipments.find((one) => one.trackingNumber === step.trackingNumber)
      return shipment === undefined ? [] : [eventOf(context, system, shipment.id, step)]
    })
  })
  const unrecorded = await filterUnrecorded(context, inOrderOfTime(events))
  if (unrecorded.length > 0) await recordAndPublish(context, unrecorded)
}

type Step = ScanSnapshot & { trackingNumber: string }

/** The steps of an order that were not known before. */
function stepsOf({ before, next }: WrittenSnapshot): Step[] {
  return Object.entries(next.fulfilments).flatMap(([id, { isActive, parcels, scans }]) => {
    const known = before.fulfilments[id]
    // Steps may arrive before their fulfilment, and a fulfilment before its order.
    const wasRecorded = before.isApplied && known?.isActive && known.parcels.length > 0
    return isActive
      ? newScans(wasRecorded ? known.scans : undefined, scans).flatMap((scan) =>
          parcels.map(({ tracking_number }) => ({ ...scan, trackingNumber: tracking_number })),
        )
      : []
  })
}

function eventOf(
  context: ShopContext,
  system: string,
  shipmentId: string,
  { code, eventName, time }: Step,
): IncomingEvent {
  const meaning = getMeaning(eventName)
  const eventTime = new Date(time)
  return {
    shopId: context.shop.id,
    shipmentId,
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
  }
}

function arrivedNumbers(steps: Step[]): Set<string> {
  const delivered = steps.filter(({ eventName }) => getMeaning(eventName).phase === 'delivered')
  return new Set(delivered.map(({ trackingNumber }) => trackingNumber))
}

/** Whether a tracking provider of the shop follows a shipment. */
async function followedShipments(context: ShopContext): Promise<(shipment: KnownShipment) => boolean> {
  const { isOn, providers } = await readShopTracking(context, context.shop.id)
  return ({ carrierReference }) =>
    isOn && carrierReference !== null && chooseProvider(carrierReference, providers) !== undefined
}
