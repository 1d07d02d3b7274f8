import { after, dayMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { numberArrivals, numberedAtOnce } from './store.ts'
import { expireEntries, listFeeds, listFeedsToEmpty, listShopsWithArrivals, switchOffUnread } from './upkeep-store.ts'

export const upkeepEveryMs = minuteMs
/** A feed costs something with every event, so it ends if nobody reads it. */
const unreadMs = 30 * dayMs

const shopsAtOnce = 500
const entriesAtOnce = 5_000
const firstId = '00000000-0000-0000-0000-000000000000'

/** Numbers what no reader has numbered, switches off the feeds that nobody reads any more, and empties them. */
export async function keepUpFeeds(context: Context): Promise<void> {
  await switchOffUnread(context, after(context.now, -unreadMs))
  await forEachShop(
    (last) => listShopsWithArrivals(context, last, shopsAtOnce),
    async (shopId) => {
      while ((await numberArrivals(context, shopId)) === numberedAtOnce);
    },
  )
  await forEachShop(
    (last) => listFeedsToEmpty(context, last, shopsAtOnce),
    (shopId) => expire(context, shopId, context.now),
  )
}

/** Deletes entries from before this time. */
export async function expireFeeds(context: Context, before: Date): Promise<void> {
  await forEachShop(
    (last) => listFeeds(context, last, shopsAtOnce),
    (shopId) => expire(context, shopId, before),
  )
}

async function expire(context: Context, shopId: string, before: Date): Promise<void> {
  while ((await expireEntries(context, shopId, before, entriesAtOnce)) === entriesAtOnce);
}

async function forEachShop(
  list: (lastShopId: string) => Promise<string[]>,
  act: (shopId: string) => Promise<void>,
): Promise<void> {
  let last: string | undefined = firstId
  while (last !== undefined) {
    const shopIds: string[] = await list(last)
    for (const shopId of shopIds) await act(shopId)
    last = shopIds.length < shopsAtOnce ? undefined : shopIds.at(-1)
  }
}
