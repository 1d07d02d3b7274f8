import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { learnRoutes, predictWindow, type Route, routeName } from './rules.ts'
import { lastJourneys } from './store.ts'

export type Predictor = (order: {
  shopId: string
  countryCode: string | null
}) => (carrierReference: string | null, placedAt: Date) => { from: Date; to: Date } | undefined

/** By shop. It may be minutes old: one more delivery hardly changes the times of all. */
const routeCache = defineCache<Map<string, Route>>({
  name: 'delivery times',
  maxEntries: 1_000,
  ttlMs: 10 * minuteMs,
})

/** Predicts delivery windows from each shop's own finished journeys; undefined if there are too few. */
export async function predictorFor(
  context: Context,
  writes: { shopId: string; upsert: { trackings: unknown[] } }[],
): Promise<Predictor> {
  const shops = new Set(writes.filter(({ upsert }) => upsert.trackings.length > 0).map(({ shopId }) => shopId))
  const routesByShop = new Map<string, Map<string, Route>>()
  for (const shopId of shops) routesByShop.set(shopId, await routesOf(context, shopId))
  return ({ shopId, countryCode }) =>
    (carrierReference, placedAt) => {
      const route = routesByShop.get(shopId)?.get(routeName(carrierReference, countryCode))
      return route ? predictWindow(route, placedAt) : undefined
    }
}

async function routesOf(context: Context, shopId: string): Promise<Map<string, Route>> {
  const cache = context.services.caches.open(routeCache)
  return (
    cache.get(shopId, context.now) ??
    cache.load(context, shopId, async () => learnRoutes(await lastJourneys(context, shopId)))
  )
}
