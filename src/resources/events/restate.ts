import { earliest } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/operation.ts'
import { getMeaning } from './catalogue.ts'
import {
  type EventName,
  listEventNames,
  type RemovedEvent,
  removeCarrierEvents,
  restateShipments,
  type ShipmentStatement,
} from './restate-store.ts'

/** Takes back events of carriers; their shipments become what the events that are left make of them. */
export async function takeBackEvents(context: Context, events: EventName[]): Promise<RemovedEvent[]> {
  const removed = await removeCarrierEvents(context, events)
  const weighty = removed.filter(({ eventKey }) => {
    const { movesPhase, phase } = getMeaning(eventKey)
    return movesPhase || phase === 'delivered'
  })
  if (weighty.length === 0) return removed
  const shipments = new Map(weighty.map(({ shopId, shipmentId }) => [shipmentId, { shopId, shipmentId }]))
  const left = await listEventNames(context, [...shipments.values()])
  const byShipment = new Map<string, EventName[]>()
  for (const event of left) byShipment.set(event.shipmentId, [...(byShipment.get(event.shipmentId) ?? []), event])
  await restateShipments(
    context,
    [...byShipment.values()].flatMap((events) => statementOf(events, context.now) ?? []),
  )
  return removed
}

/** From events in order of time; undefined where none of them moves the phase. */
function statementOf(events: EventName[], now: Date): ShipmentStatement | undefined {
  const current = events.findLast(({ eventKey }) => getMeaning(eventKey).movesPhase)
  if (current === undefined) return undefined
  const meaning = getMeaning(current.eventKey)
  const firstOf = (isMeant: (meaning: ReturnType<typeof getMeaning>) => boolean) =>
    earliest(events.filter(({ eventKey }) => isMeant(getMeaning(eventKey))).map(({ eventTime }) => eventTime))
  return {
    shopId: current.shopId,
    shipmentId: current.shipmentId,
    phase: meaning.phase,
    flag: meaning.flag,
    currentEventKey: current.eventKey,
    currentEventAt: current.eventTime,
    inTransitAt: firstOf(({ phase, movesPhase }) => phase === 'in_transit' && movesPhase),
    deliveredAt: firstOf(({ phase }) => phase === 'delivered'),
    now,
  }
}
