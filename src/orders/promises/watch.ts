import { publish } from '../../delivery/receivers/publish.ts'
import { isReturn } from '../../platform/catalogue/catalogue.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { atRiskEvent } from '../events/to-recorded-event.ts'
import { type ParcelAtRisk, recordAtRisk } from './at-risk-store.ts'
import { dayAtDestination, endOfDayIn } from './days.ts'
import { outcomeOf, type PromisedParcel } from './outcome.ts'
import { lockPromises, type StoredPromise, storeOutcomes } from './outcome-store.ts'
import { readPromiseSettings } from './settings-store.ts'
import { modelOf } from './shop-model.ts'

/** A parcel that is evaluated. */
export interface WatchedParcel extends Omit<PromisedParcel, 'createdAt' | 'deliveredAt'> {
  orderId: string
  zipCode: string | null
  /** The end of its own delivery window, by the carrier or predicted. */
  expectedBy: Date | undefined
}

/** Facts from the promises, by parcel. */
export interface Watch {
  /** Since when it is at risk; missing: it is not. */
  atRiskSince: ReadonlyMap<string, Date>
  /** The end of the day that was promised. */
  promisedUntil: ReadonlyMap<string, Date>
  /** The time at which its chance changes although nothing happens to it. */
  checkAt: ReadonlyMap<string, Date>
}

const phasesUnderWay = ['order_processed', 'in_transit', 'in_delivery', 'delivery_failed']

/** Before a shop has delivered so many parcels, the model says little about them. */
const leastJourneys = 20
/** A route without known journeys: the model's answer for it is that for all the shop's parcels. */
const nowhere = { carrier: 'none', service: null, originCountry: null, destinationCountry: null, destinationZip: null }

/** A parcel whose chance is computed. */
interface Candidate {
  parcel: Omit<PromisedParcel, 'createdAt' | 'deliveredAt'>
  orderId: string
  zipCode: string | null
  /** The last day of the window. */
  latest: string
  /** The day was promised with the order. */
  isPromised: boolean
}

/**
 * Keeps the promises of orders up to date, and finds the parcels that will probably be late: of the given parcels and
 * orders, in the transaction that evaluates them. A parcel whose order has no promise is compared with its own window.
 */
export async function watchPromises(
  context: Context,
  shopId: string,
  parcels: WatchedParcel[],
  orderIds: string[],
): Promise<Watch> {
  const promises = await lockPromises(context, shopId, [
    ...new Set([...parcels.map((each) => each.orderId), ...orderIds]),
  ])
  const own = parcels.flatMap((parcel) => (promises.has(parcel.orderId) ? [] : candidateOf(parcel, context.now)))
  const promised = [...promises.values()].flatMap((promise) => candidatesOf(promise, context.now))
  // Not from memory: a threshold that has just been changed is why they are evaluated.
  const { at_risk_below: atRiskBelow } = await readPromiseSettings(context, shopId)
  const candidates = [...(atRiskBelow === null ? [] : own), ...promised]
  const chances = await chancesOf(context, shopId, candidates)
  const outcomes = [...promises.values()].map((promise) => ({
    promise,
    outcome: outcomeOf(promise, chances, atRiskBelow, context.now),
  }))
  await storeOutcomes(context, shopId, outcomes)
  const evaluated = new Set(parcels.map(({ id }) => id))
  const atRisk = candidates.filter(({ parcel: { id } }) => {
    const chance = chances.get(id)
    return evaluated.has(id) && chance !== undefined && atRiskBelow !== null && chance < atRiskBelow
  })
  return {
    atRiskSince: await announce(context, shopId, atRisk, chances),
    promisedUntil: new Map(
      parcels.flatMap(({ id, orderId }) => {
        const promise = promises.get(orderId)
        return promise ? [[id, promise.dueAt]] : []
      }),
    ),
    checkAt: new Map(
      candidates.flatMap(({ parcel: { id, destinationCountry } }) =>
        chances.has(id)
          ? [[id, endOfDayIn(destinationCountry, dayAtDestination(destinationCountry, context.now))]]
          : [],
      ),
    ),
  }
}

function candidatesOf({ parcels, orderId, zipCode, latest, dueAt }: StoredPromise, now: Date): Candidate[] {
  if (dueAt <= now) return []
  return parcels
    .filter((parcel) => parcel.deliveredAt === null && isUnderWay(parcel))
    .map((parcel) => ({ parcel, orderId, zipCode, latest, isPromised: true }))
}

/** A parcel counts as late from the end of the expected day on, in UTC. */
function candidateOf(parcel: WatchedParcel, now: Date): Candidate[] {
  const { expectedBy, orderId, zipCode } = parcel
  if (expectedBy === undefined || !isUnderWay(parcel)) return []
  const latest = expectedBy.toISOString().slice(0, 10)
  return Date.parse(latest) + dayMs <= now.getTime() ? [] : [{ parcel, orderId, zipCode, latest, isPromised: false }]
}

function isUnderWay({ isDraft, direction, phase }: Pick<PromisedParcel, 'isDraft' | 'direction' | 'phase'>): boolean {
  return !isDraft && !isReturn(direction) && phasesUnderWay.includes(phase)
}

/** How likely each arrives by its last day, by parcel; those that the shop's journeys say nothing about are missing. */
async function chancesOf(context: Context, shopId: string, candidates: Candidate[]): Promise<Map<string, number>> {
  if (candidates.length === 0) return new Map()
  const model = await modelOf(context, shopId)
  const known = model.predict(nowhere, context.now.toISOString().slice(0, 10))?.sampleSize ?? 0
  if (known < leastJourneys) return new Map()
  return new Map(
    candidates.flatMap(({ parcel, zipCode, latest }) => {
      const country = parcel.destinationCountry
      const chance = model.chanceBy(
        {
          carrier: parcel.carrierReference,
          service: parcel.service,
          originCountry: parcel.originCountry,
          destinationCountry: country,
          destinationZip: zipCode,
        },
        {
          sentOn: dayAtDestination(country, parcel.placedAt),
          inTransitOn: parcel.inTransitAt && dayAtDestination(country, parcel.inTransitAt),
          isOutForDelivery: parcel.phase === 'in_delivery',
        },
        latest,
        dayAtDestination(country, context.now),
      )
      return chance === undefined ? [] : [[parcel.id, Math.round(chance * 100) / 100]]
    }),
  )
}

/** Records parcels that are at risk and publishes an event about each that was not before. */
async function announce(
  context: Context,
  shopId: string,
  atRisk: Candidate[],
  chances: ReadonlyMap<string, number>,
): Promise<Map<string, Date>> {
  const rows = atRisk.map(
    ({ parcel: { id }, latest, isPromised }): ParcelAtRisk => ({
      shipmentId: id,
      promised: isPromised ? latest : null,
      chance: chances.get(id) ?? 0,
    }),
  )
  const recorded = await recordAtRisk(context, shopId, rows)
  await publish(
    context,
    atRisk.flatMap(({ parcel: { id }, orderId }) =>
      recorded.get(id)?.isNew ? [atRiskEvent({ shopId, shipmentId: id, orderId, now: context.now })] : [],
    ),
  )
  return new Map([...recorded].map(([id, { since }]) => [id, since]))
}
