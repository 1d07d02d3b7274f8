import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { TransitModel } from '../promise-model/model.ts'
import { daysOfShop, journeysUnderWay, lastJourneys } from './journeys-store.ts'

/** By shop. It may be minutes old: one more delivery hardly changes the times of all. */
const modelCache = defineCache<TransitModel>({ name: 'transit times', maxEntries: 500, ttlMs: 10 * minuteMs })

/** Model of transit times, learnt from the shop's own journeys. */
export async function modelOf(context: Context, shopId: string): Promise<TransitModel> {
  const cache = context.services.caches.open(modelCache)
  // Read from a replica it is as good: it may be old anyway.
  const scope = { now: context.now, ...(context.afterCommit && { afterCommit: context.afterCommit }) }
  return (
    cache.get(shopId, context.now) ??
    cache.load(scope, shopId, async () => {
      const shopDays = await daysOfShop(context, shopId)
      const journeys = [...(await lastJourneys(context, shopId)), ...(await journeysUnderWay(context, shopId))]
      return TransitModel.learnGently(journeys, { asOf: context.now, shopDays }, letOthersRun)
    })
  )
}

/** Between the slices of long work. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
