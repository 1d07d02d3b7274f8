import type { Schemas } from 'doorstep-client'

export type Phase = Schemas['EventDescription']['phase']

/** The phases in the order of a parcel's life. */
export const phasesInOrder: readonly Phase[] = [
  'order_created',
  'order_processed',
  'order_cancelled',
  'in_transit',
  'in_delivery',
  'collect',
  'delivered',
  'delivery_failed',
  'returned',
  'return_created',
  'return_transit',
  'return_received',
  'return_failed',
]
