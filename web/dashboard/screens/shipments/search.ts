import {
  choiceIn,
  choicesIn,
  dayIn,
  type ListSearch,
  listSearch,
  type RawSearch,
  textIn,
} from '../../kit/list/search.ts'
import { periods } from '../orders/search.ts'

/** In the order of a parcel's life. */
export const phases = [
  'order_created',
  'order_processed',
  'in_transit',
  'in_delivery',
  'collect',
  'delivery_failed',
  'delivered',
  'returned',
  'order_cancelled',
  'return_created',
  'return_transit',
  'return_received',
  'return_failed',
] as const
export const problemFlags = ['delay', 'error'] as const
export const directions = ['outward', 'return'] as const

export interface ShipmentSearch extends ListSearch {
  phase?: (typeof phases)[number][] | undefined
  flag?: (typeof problemFlags)[number][] | undefined
  carrier?: string | undefined
  country?: string | undefined
  direction?: (typeof directions)[number] | undefined
  since?: (typeof periods)[number] | undefined
  /** Changed on this day, in UTC. The bars of a chart link to it. */
  on?: string | undefined
}

/** The state of the list in the address. */
export function shipmentSearch(search: RawSearch): ShipmentSearch {
  const country = textIn(search, 'country')
  return {
    ...listSearch(search),
    phase: choicesIn(search, 'phase', phases),
    flag: choicesIn(search, 'flag', problemFlags),
    carrier: textIn(search, 'carrier'),
    country: country !== undefined && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : undefined,
    direction: choiceIn(search, 'direction', directions),
    since: choiceIn(search, 'since', periods),
    on: dayIn(search, 'on'),
  }
}
