import type { Phase } from '../../platform/catalogue/catalogue.ts'
import type { ShownParcel } from './parcels.ts'

/** The steps of a delivery. Their words are the texts `steps.*` of the tracking page. */
export const stepNames = [
  'ordered',
  'packed',
  'transit',
  'delivery',
  'collect',
  'failed',
  'delivered',
  'back',
  'returned',
  'return_registered',
  'return_transit',
  'return_received',
] as const
export type StepName = (typeof stepNames)[number]

/** The steps of a delivery and the current one. */
export interface DeliverySteps {
  steps: StepName[]
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
export function progressOf(parcel: Pick<ShownParcel, 'phase' | 'isReturn' | 'pickup'>): DeliverySteps | undefined {
  if (parcel.isReturn) {
    const at = sentBack[parcel.phase]
    const steps: StepName[] = ['return_registered', 'return_transit', 'return_received']
    return at === undefined ? undefined : { steps, at }
  }
  const back = refused[parcel.phase]
  if (back !== undefined) {
    return { steps: ['ordered', 'transit', 'back', 'returned'], at: back }
  }
  const at = outward[parcel.phase]
  if (at === undefined) return undefined
  const last = lastSteps[parcel.phase] ?? 'delivery'
  return { steps: ['ordered', 'packed', 'transit', last, 'delivered'], at }
}

/** The name of the last step but one, if the parcel is not simply delivered. */
const lastSteps: Partial<Record<Phase, StepName>> = { collect: 'collect', delivery_failed: 'failed' }
