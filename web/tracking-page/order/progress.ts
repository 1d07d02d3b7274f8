import type { Phase } from '../../../src/catalogue/catalogue.ts'
import type { TextKey } from '../viewer.ts'
import type { ShownParcel } from './parcel.ts'

/** The steps of a delivery and the current one. */
export interface Progress {
  steps: TextKey[]
  at: number
}

type Way = Partial<Record<Phase, number>>

const outward: Way = {
  order_created: 0,
  order_processed: 1,
  in_transit: 2,
  in_delivery: 3,
  delivery_failed: 3,
  collect: 3,
  delivered: 4,
}

/** An undeliverable parcel is returned. */
const refused: Way = { return_created: 2, return_transit: 2, return_failed: 2, returned: 3, return_received: 3 }

const sentBack: Way = {
  order_created: 0,
  order_processed: 0,
  return_created: 0,
  in_transit: 1,
  in_delivery: 1,
  collect: 1,
  delivery_failed: 1,
  return_transit: 1,
  return_failed: 1,
  delivered: 2,
  return_received: 2,
  returned: 2,
}

/** Undefined if there is no delivery: the order was cancelled. */
export function progressOf(parcel: Pick<ShownParcel, 'phase' | 'isReturn' | 'pickup'>): Progress | undefined {
  if (parcel.isReturn) {
    const at = sentBack[parcel.phase]
    const steps: TextKey[] = ['steps.return_registered', 'steps.return_transit', 'steps.return_received']
    return at === undefined ? undefined : { steps, at }
  }
  const back = refused[parcel.phase]
  if (back !== undefined) {
    return { steps: ['steps.ordered', 'steps.transit', 'steps.back', 'steps.returned'], at: back }
  }
  const at = outward[parcel.phase]
  if (at === undefined) return undefined
  const last = lastSteps[parcel.phase] ?? 'steps.delivery'
  return { steps: ['steps.ordered', 'steps.packed', 'steps.transit', last, 'steps.delivered'], at }
}

/** The name of the last step but one, if the parcel is not simply delivered. */
const lastSteps: Partial<Record<Phase, TextKey>> = { collect: 'steps.collect', delivery_failed: 'steps.failed' }
