import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { latest } from '../../platform/foundation/clock.ts'
import { dayAtDestination } from './days.ts'
import type { PromiseState } from './schema.ts'

/** A parcel of an order that was promised. */
export interface PromisedParcel {
  id: string
  isDraft: boolean
  direction: string
  phase: string
  carrierReference: string | null
  service: string | null
  originCountry: string | null
  destinationCountry: string | null
  createdAt: Date
  placedAt: Date
  inTransitAt: Date | null
  deliveredAt: Date | null
}

/** Facts that decide about a promise. */
export interface PromiseFacts {
  latest: string
  destinationCountry: string | null
  /** The end of the last day. */
  dueAt: Date
  /** It is not sent, or nobody will report its arrival. */
  isUntold: boolean
  parcels: PromisedParcel[]
}

export interface PromiseOutcome {
  state: PromiseState
  chance: number | null
  deliveredOn: string | null
  isDecided: boolean
  checkAt: Date | null
}

/**
 * Outcome of a promise. It follows from the parcels alone, so that it changes with them: a scan that is revoked opens
 * it again, and one that comes late but was in time keeps it. `chances` are those of its parcels in transit.
 */
export function outcomeOf(
  { dueAt, destinationCountry, isUntold, parcels }: PromiseFacts,
  chances: ReadonlyMap<string, number>,
  atRiskBelow: number | null,
  now: Date,
): PromiseOutcome {
  const counted = countedParcels(parcels, dueAt)
  const deliveredAt = counted.every((parcel) => parcel.deliveredAt !== null)
    ? latest(counted.map((parcel) => parcel.deliveredAt ?? undefined))
    : undefined
  if (deliveredAt) {
    return {
      state: deliveredAt < dueAt ? 'kept' : 'broken',
      chance: null,
      deliveredOn: dayAtDestination(destinationCountry, deliveredAt),
      isDecided: true,
      checkAt: null,
    }
  }
  // Cancelled, nothing to send, or handed over without a number: nothing will ever decide it.
  if (counted.length === 0 || isUntold) {
    return { state: 'open', chance: null, deliveredOn: null, isDecided: false, checkAt: null }
  }
  if (dueAt <= now) return { state: 'broken', chance: null, deliveredOn: null, isDecided: true, checkAt: null }
  // The order arrives with its last parcel.
  const known = counted.flatMap(({ id }) => chances.get(id) ?? [])
  const chance = known.length > 0 ? Math.min(...known) : null
  const isAtRisk = chance !== null && atRiskBelow !== null && chance < atRiskBelow
  return {
    state: isAtRisk ? 'at_risk' : 'open',
    chance,
    deliveredOn: null,
    isDecided: false,
    checkAt: dueAt,
  }
}

/**
 * The parcels of the promise: no returns, no cancelled ones, and no replacements that were added after it was due, if
 * there are others.
 */
function countedParcels(parcels: PromisedParcel[], dueAt: Date): PromisedParcel[] {
  const meant = parcels.filter(({ direction, phase }) => !isReturn(direction) && phase !== 'order_cancelled')
  const first = meant.filter(({ createdAt }) => createdAt < dueAt)
  return first.length > 0 ? first : meant
}
