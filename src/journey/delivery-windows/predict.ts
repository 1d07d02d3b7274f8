import { minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Services } from '../../foundation/services.ts'
import { type Lane, laneName, learnLanes, predictWindow } from './rules.ts'
import { lastJourneys } from './store.ts'

export type Predictor = (order: {
  shopId: string
  countryCode: string | null
}) => (carrierReference: string | null, placedAt: Date) => { from: Date; to: Date } | undefined

/** What is learnt is used for a while: yesterday's deliveries say the same as this minute's. */
const relearnMs = 10 * minuteMs

const learnt = new WeakMap<Services, Map<string, { lanes: Map<string, Lane>; at: number }>>()

/** Predicts delivery windows from each shop's own finished journeys; undefined if there are too few. */
export async function predictorFor(
  context: Context,
  writes: { shopId: string; upsert: { trackings: unknown[] } }[],
): Promise<Predictor> {
  const shops = new Set(writes.filter(({ upsert }) => upsert.trackings.length > 0).map(({ shopId }) => shopId))
  const lanesByShop = new Map<string, Map<string, Lane>>()
  for (const shopId of shops) lanesByShop.set(shopId, await lanesOf(context, shopId))
  return ({ shopId, countryCode }) =>
    (carrierReference, placedAt) => {
      const lane = lanesByShop.get(shopId)?.get(laneName(carrierReference, countryCode))
      return lane ? predictWindow(lane, placedAt) : undefined
    }
}

async function lanesOf(context: Context, shopId: string): Promise<Map<string, Lane>> {
  const known = learnt.get(context.services) ?? new Map<string, { lanes: Map<string, Lane>; at: number }>()
  learnt.set(context.services, known)
  const entry = known.get(shopId)
  if (entry && context.now.getTime() - entry.at < relearnMs) return entry.lanes
  const lanes = learnLanes(await lastJourneys(context, shopId))
  if (known.size > 1_000) known.clear()
  known.set(shopId, { lanes, at: context.now.getTime() })
  return lanes
}
