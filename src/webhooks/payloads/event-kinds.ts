import { claimEvents } from '../../claims/claims/publish.ts'
import { shipmentRef } from '../../orders/events/to-recorded-event.ts'
import { atRisk, eventNames, getMeaning, type Phase, triggerGroup } from '../../platform/catalogue/catalogue.ts'
import { messagesOf } from '../../platform/catalogue/texts/translate.ts'

/** A kind of event that receivers may get. */
export interface EventKind {
  /** A name of the catalogue, or SHIPMENT_AT_RISK, CLAIM_CREATED or CLAIM_UPDATED. */
  name: string
  source: 'shipments' | 'claims'
  ref: string
  /** Undefined for events of claims, and if the parcel may be in any phase. */
  phase: Phase | undefined
  /** The event groups that its payload may have. */
  groups: string[]
  /** Its meaning, in English. */
  text: string
}

/** Every kind: the names of the catalogue, parcels at risk, and the events of claims. */
export const eventKinds: readonly EventKind[] = [
  ...eventNames.map(shipmentKind),
  {
    name: atRisk.eventName,
    source: 'shipments',
    ref: atRisk.ref,
    phase: undefined,
    groups: [atRisk.group],
    text: 'The parcel will probably not arrive by the day that was promised or expected',
  },
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
