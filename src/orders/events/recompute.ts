import { getMeaning, isScan } from '../../platform/catalogue/catalogue.ts'
import { earliest } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import {
  type ComputedShipment,
  deleteCarrierEvents,
  type EventKey,
  findEventKeys,
  type RemovedEvent,
  updateShipmentStates,
} from './recompute-store.ts'
import { currentEventOf } from './rules.ts'

/** Deletes events of carriers and recomputes their shipments from the remaining events. */
export async function retractCarrierEvents(context: Context, events: EventKey[]): Promise<RemovedEvent[]> {
  const removed = await deleteCarrierEvents(context, events)
  await recomputeShipments(context, removed)
  return removed
}

/** Recomputes shipments from their events. The caller has locked them. */
export async function recomputeShipments(context: Context, shipments: ShipmentKey[]): Promise<void> {
  if (shipments.length === 0) return
  const each = new Map(shipments.map(({ shopId, shipmentId }) => [shipmentId, { shopId, shipmentId }]))
  const byShipment = new Map<string, EventKey[]>()
  for (const event of await findEventKeys(context, [...each.values()])) {
    byShipment.set(event.shipmentId, [...(byShipment.get(event.shipmentId) ?? []), event])
  }
  await updateShipmentStates(
    context,
    [...byShipment.values()].flatMap((events) => computeShipment(events, context.now) ?? []),
  )
}

type ShipmentKey = Pick<EventKey, 'shopId' | 'shipmentId'>

/** Expects events sorted by time; undefined if none of them moves the phase. */
function computeShipment(events: EventKey[], now: Date): ComputedShipment | undefined {
  const current = currentEventOf(events)
  const latest = events.at(-1)
  if (current === undefined || latest === undefined) return undefined
  const meaning = getMeaning(current.eventKey)
  const firstOf = (matches: (meaning: ReturnType<typeof getMeaning>) => boolean) =>
    earliest(events.filter(({ eventKey }) => matches(getMeaning(eventKey))).map(({ eventTime }) => eventTime))
  return {
    shopId: current.shopId,
    shipmentId: current.shipmentId,
    phase: meaning.phase,
    flag: meaning.flag,
    currentEventKey: current.eventKey,
    currentEventAt: current.eventTime,
    latestEventAt: latest.eventTime,
    isScanned: events.some(({ eventKey }) => isScan(getMeaning(eventKey))),
    isCancelled: events.some(({ eventKey }) => getMeaning(eventKey).phase === 'order_cancelled'),
    inTransitAt: firstOf(({ phase, movesPhase }) => phase === 'in_transit' && movesPhase),
    deliveredAt: firstOf(({ phase }) => phase === 'delivered'),
    now,
  }
}
