import { minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Services } from '../../foundation/services.ts'
import { learnRoutes, predictWindow, type Route, routeName } from './rules.ts'
import { lastJourneys } from './store.ts'

export type Predictor = (order: {
  shopId: string
  countryCode: string | null
}) => (carrierReference: string | null, placedAt: Date) => { from: Date; to: Date } | undefined

/** What is learnt is used for a while: yesterday's deliveries say the same as this minute's. */
const relearnMs = 10 * minuteMs

const learnt = new WeakMap<Services, Map<string, { routes: Map<string, Route>; at: number }>>()

/** Predicts delivery windows from each shop's own finished journeys; undefined where there are too few. */
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
  const known = learnt.get(context.services) ?? new Map<string, { routes: Map<string, Route>; at: number }>()
  learnt.set(context.services, known)
  const entry = known.get(shopId)
  if (entry && context.now.getTime() - entry.at < relearnMs) return entry.routes
  const routes = learnRoutes(await lastJourneys(context, shopId))
  if (known.size > 1_000) known.clear()
  known.set(shopId, { routes, at: context.now.getTime() })
  return routes
}
