import { eventNames, getMeaning, type Phase, triggerGroup } from '../../catalogue/catalogue.ts'
import { messagesOf } from '../../catalogue/texts/translate.ts'
import { shipmentRef } from '../../journey/events/recorded-event.ts'
import { claimEvents } from '../claims/publish.ts'

/** A kind of event that receivers may get. */
export interface EventKind {
  /** A name of the catalogue, or CLAIM_CREATED or CLAIM_UPDATED. */
  name: string
  source: 'shipments' | 'claims'
  ref: string
  /** Undefined for events of claims. */
  phase: Phase | undefined
  /** The event groups that its payload may have. */
  groups: string[]
  /** What it means, in English. */
  text: string
}

/** Every kind: the names of the catalogue, and the events of claims. */
export const eventKinds: readonly EventKind[] = [
  ...eventNames.map(shipmentKind),
  claimKind(claimEvents.created, 'A claim or a withdrawal was created'),
  claimKind(claimEvents.updated, 'A claim was updated'),
]

function shipmentKind(name: string): EventKind {
  const { phase, group, returnGroup } = getMeaning(name)
  // A trigger fires for parcels whose current event has any name, published or not.
  const groups = [...new Set([group, returnGroup, triggerGroup].filter((each) => each !== undefined))]
  const text = messagesOf('en').events[name] ?? name
  return { name, source: 'shipments', ref: shipmentRef(name), phase, groups, text }
}

function claimKind(
  { eventName, ref, eventGroup }: (typeof claimEvents)['created' | 'updated'],
  text: string,
): EventKind {
  return { name: eventName, source: 'claims', ref, phase: undefined, groups: [eventGroup], text }
}
