import type { Phase } from '../../platform/catalogue/catalogue.ts'
import { formatsFor } from '../../platform/foundation/formats.ts'
import { type ShownParcel, timeZoneOf } from './parcels.ts'
import type { PageOrderRecord } from './store.ts'

/** `late`: the day has passed and it is still on its way; `broken`: it arrived later. */
export type PromiseStage = 'open' | 'at_risk' | 'late' | 'kept' | 'broken'

const comingPhases: readonly Phase[] = ['order_created', 'order_processed', 'in_transit', 'in_delivery']

/** Whether it has yet to reach its customer or a place where it waits. */
export function isComing({ isReturn, phase }: Pick<ShownParcel, 'isReturn' | 'phase'>): boolean {
  return !isReturn && comingPhases.includes(phase)
}

/** The stage of a promise; undefined if there is none, or it no longer matters. */
export function promiseStage(
  now: Date,
  { promise, country_code, nothing_to_send }: Pick<PageOrderRecord, 'promise' | 'country_code' | 'nothing_to_send'>,
  parcels: readonly Pick<ShownParcel, 'isReturn' | 'phase'>[],
): PromiseStage | undefined {
  if (promise === null || nothing_to_send) return undefined
  const outward = parcels.filter(({ isReturn, phase }) => !isReturn && phase !== 'order_cancelled')
  const isArrived = outward.length > 0 && outward.every(({ phase }) => phase === 'delivered')
  if (isArrived) {
    if (parcels.some(({ isReturn }) => isReturn)) return undefined
    return promise.state === 'kept' || promise.state === 'broken' ? promise.state : undefined
  }
  // One that waits at a pick-up point or goes back is not helped by an apology.
  if (parcels.length > 0 && !outward.some(isComing)) return undefined
  if (promise.state === 'kept') return undefined
  const isOver =
    promise.state === 'broken' || promise.latest < formatsFor('en', timeZoneOf([], country_code)).dayKey(now)
  return isOver ? 'late' : promise.state === 'at_risk' ? 'at_risk' : 'open'
}
