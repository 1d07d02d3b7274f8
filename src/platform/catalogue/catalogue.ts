import { readFileSync } from 'node:fs'

export const phases = [
  'collect',
  'delivery_failed',
  'delivered',
  'in_delivery',
  'in_transit',
  'order_created',
  'order_cancelled',
  'order_processed',
  'return_created',
  'return_failed',
  'return_received',
  'return_transit',
  'returned',
] as const
export type Phase = (typeof phases)[number]

export const flags = ['normal', 'delay', 'error'] as const
export type Flag = (typeof flags)[number]

export const directions = ['merchant_customer', 'customer_merchant', 'customer_partner', 'partner_customer'] as const

/** Meaning of an event name; the event's key is its name. */
export interface EventMeaning {
  name: string
  phase: Phase
  /** The group under which the event is published; undefined: it is not published. */
  group: string | undefined
  returnGroup: string | undefined
  flag: Flag
  /** Whether it sets the shipment's phase, flag and current event. */
  movesPhase: boolean
}

const meanings = readCatalogue()

/** The 159 names, in the order of the catalogue. */
export const eventNames: readonly string[] = [...meanings.keys()]

export function findMeaning(name: string): EventMeaning | undefined {
  return meanings.get(name)
}

export function getMeaning(name: string): EventMeaning {
  const meaning = meanings.get(name)
  if (meaning === undefined) throw new Error(`the event catalogue does not contain ${name}`)
  return meaning
}

/** The phases before a carrier has the parcel: orders, and labels printed for them. */
export const labelPhases: readonly Phase[] = ['order_created', 'order_processed']

/** The phases in which a journey ends: at the customer, or back at the sender. */
export const finalPhases: readonly Phase[] = ['delivered', 'returned', 'return_received']

/** The events that end a journey. */
export const finalEvents: readonly string[] = [...meanings.values()]
  .filter(({ phase, movesPhase }) => movesPhase && finalPhases.includes(phase))
  .map(({ name }) => name)

/** Whether the event shows that a carrier has, or had, the parcel. */
export function isScan(meaning: EventMeaning): boolean {
  return meaning.movesPhase && !labelPhases.includes(meaning.phase) && meaning.phase !== 'order_cancelled'
}

/** True for parcels that a customer sends. Their events have their own groups. */
export function isReturn(direction: string): boolean {
  return direction === 'customer_merchant' || direction === 'customer_partner'
}

export function groupOf(meaning: EventMeaning, direction: string): string | undefined {
  return isReturn(direction) ? meaning.returnGroup : meaning.group
}

/** The group of events that internal triggers publish, regardless of the parcel's current event. */
export const triggerGroup = 'shipment_internal_trigger'

/** The group of events with which customs wants a payment or information: the customer has to act, or the parcel goes back. */
export const customsActionGroup = 'shipment_customs_action_needed'

/** Event published when a parcel will probably not arrive by the promised or expected day. It is not a scan. */
export const atRisk = {
  eventName: 'SHIPMENT_AT_RISK',
  ref: 'shipments/at_risk/SHIPMENT_AT_RISK',
  group: 'shipment_at_risk',
} as const

/** A shipment without a tracking number has not been sent, so it only has events of its order. */
export function isAllowedForDrafts(meaning: EventMeaning): boolean {
  return meaning.phase === 'order_created' || meaning.phase === 'order_cancelled'
}

function readCatalogue(): Map<string, EventMeaning> {
  const [, ...lines] = readFileSync(new URL('./catalogue.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const entries = lines.map((line): [string, EventMeaning] => {
    const [name = '', phase, group, returnGroup, flag, movesPhase] = line.trim().split(',')
    return [
      name,
      {
        name,
        phase: phase as Phase, // a test checks the file against the lists above
        group: group || undefined,
        returnGroup: returnGroup || undefined,
        flag: flag as Flag, // the same
        movesPhase: movesPhase === 'yes',
      },
    ]
  })
  return new Map(entries)
}
