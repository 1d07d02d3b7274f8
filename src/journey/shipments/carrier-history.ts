import { minuteMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import type { Services } from '../../foundation/services.ts'
import { countCarriers } from './carrier-history-store.ts'

/** Share of each carrier in what a shop has sent, by shop; a shop of which too little is known has none. */
export type CarrierHistories = ReadonlyMap<string, ReadonlyMap<string, number>>

interface Tracking {
  carrier_reference?: string | null | undefined
  tracking_company?: string | null | undefined
}

/** Yesterday's parcels say the same as this minute's. */
const rememberMs = 10 * minuteMs
/** Fewer would make a habit of a single parcel. */
const leastShipments = 10

const known = new WeakMap<Services, Map<string, { shares: ReadonlyMap<string, number>; at: number }>>()

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
  const remembered =
    known.get(context.services) ?? new Map<string, { shares: ReadonlyMap<string, number>; at: number }>()
  known.set(context.services, remembered)
  const entry = remembered.get(shopId)
  if (entry && Math.abs(context.now.getTime() - entry.at) < rememberMs) return entry.shares
  const counts = await countCarriers(context, shopId)
  const total = counts.reduce((sum, { shipments }) => sum + shipments, 0)
  const shares =
    total < leastShipments
      ? new Map<string, number>()
      : new Map(counts.map(({ carrierReference, shipments }) => [carrierReference, shipments / total]))
  if (remembered.size > 1_000) remembered.clear()
  remembered.set(shopId, { shares, at: context.now.getTime() })
  return shares
}
