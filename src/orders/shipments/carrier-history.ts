import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { countCarriers } from './carrier-history-store.ts'

/** Share of each carrier in a shop's parcels, by shop; a shop of which too little is known has none. */
export type CarrierHistories = ReadonlyMap<string, ReadonlyMap<string, number>>

interface Tracking {
  carrier_reference?: string | null | undefined
  tracking_company?: string | null | undefined
}

/** Fewer would make a habit of a single parcel. */
const leastShipments = 10

/** By shop. It may be minutes old: a shop rarely changes its carriers. */
const sharesCache = defineCache<ReadonlyMap<string, number>>({
  name: 'carrier shares',
  maxEntries: 1_000,
  ttlMs: 10 * minuteMs,
})

/** The histories of shops whose parcels come without a carrier, which has to be found by the number. */
export async function carrierHistories(
  context: Context,
  writes: { shopId: string; upsert: { trackings: Tracking[] } }[],
): Promise<CarrierHistories> {
  const shops = new Set(
    writes.filter(({ upsert }) => upsert.trackings.some((each) => !each.carrier_reference)).map(({ shopId }) => shopId),
  )
  const histories = new Map<string, ReadonlyMap<string, number>>()
  for (const shopId of shops) {
    const shares = await sharesOf(context, shopId)
    if (shares.size > 0) histories.set(shopId, shares)
  }
  return histories
}

async function sharesOf(context: Context, shopId: string): Promise<ReadonlyMap<string, number>> {
  const cache = context.services.caches.open(sharesCache)
  return cache.get(shopId, context.now) ?? cache.load(context, shopId, () => countShares(context, shopId))
}

async function countShares(context: Context, shopId: string): Promise<ReadonlyMap<string, number>> {
  const counts = await countCarriers(context, shopId)
  const total = counts.reduce((sum, { shipments }) => sum + shipments, 0)
  if (total < leastShipments) return new Map()
  return new Map(counts.map(({ carrierReference, shipments }) => [carrierReference, shipments / total]))
}
