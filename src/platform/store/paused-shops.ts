import { defineCache } from '../foundation/caches.ts'
import type { Context } from '../foundation/context.ts'
import { ApiError } from '../foundation/errors.ts'

/** The ids of all paused shops, as one entry: there are hardly ever any. */
const pausedShops = defineCache<ReadonlySet<string>>({
  name: 'paused shops',
  maxEntries: 1,
  invalidatedBy: { shop: () => true },
})

type Reader = Pick<Context, 'db' | 'services' | 'afterCommit'>

/** Whether nothing may be written or sent for the shop at the moment. Usually read from memory. */
export async function isPaused(context: Reader, shopId: string): Promise<boolean> {
  const cache = context.services.caches.open(pausedShops)
  const known = cache.get('all') ?? (await cache.load(context, 'all', () => readPausedShops(context)))
  return known.has(shopId)
}

async function readPausedShops({ db }: Reader): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('shops').where('paused_at', 'is not', null).select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** After how many seconds a client should try again: a small shop has moved by then. */
const retryAfterSeconds = 5

/** The error of a request that writes to a paused shop. */
export async function rejectIfPaused(context: Reader, shop: { id: string; slug: string }): Promise<void> {
  if (!(await isPaused(context, shop.id))) return
  throw new ApiError(
    'store_unavailable',
    `The shop "${shop.slug}" is paused, because it is being exported or has moved. Try again in ${retryAfterSeconds} s.`,
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  )
}
