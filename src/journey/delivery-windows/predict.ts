import { defineCache } from '../../foundation/caches.ts'
import { minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { type Lane, laneName, learnLanes, predictWindow } from './rules.ts'
import { lastJourneys } from './store.ts'

export type Predictor = (order: {
  shopId: string
  countryCode: string | null
}) => (carrierReference: string | null, placedAt: Date) => { from: Date; to: Date } | undefined

/** By shop. It may be minutes old: one more delivery hardly changes what all of them say. */
const lanesCache = defineCache<Map<string, Lane>>({
  name: 'delivery times',
  maxEntries: 1_000,
  ttlMs: 10 * minuteMs,
})

/** Predicts delivery windows from each shop's own finished journeys; undefined where there are too few. */
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
  const cache = context.services.caches.open(lanesCache)
  return cache.get(shopId) ?? cache.load(context, shopId, async () => learnLanes(await lastJourneys(context, shopId)))
}
