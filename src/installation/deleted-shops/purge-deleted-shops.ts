import { deleteKeysOfShopAlone } from '../../access/keys/store.ts'
import { deletePeopleOfShopAlone } from '../../access/people/store.ts'
import { after, dayMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { type DeletedRows, deleteRowsOfShop, listShopTables, type ShopTable } from '../../platform/store/shop-tables.ts'
import type { Job } from '../../platform/workers/schedule.ts'
import { deleteImages, listImageKeys } from '../../shops/images/store.ts'
import { giveUpImports, listDeletedShops, removeShop, type ShopRow } from '../../shops/shops/store.ts'

export interface PurgeLimits {
  /** Rows that a statement deletes at most. */
  batchRows: number
  /** Rows after which a run ends; the next one continues. */
  rowsPerRun: number
}

/** A shop of a million rows is gone in ten minutes. What the embedded store does meanwhile waits for one batch at most. */
const usualLimits: PurgeLimits = { batchRows: 500, rowsPerRun: 20_000 }
const shopsPerRun = 20
const keysAtOnce = 1_000
/** An import records every ten seconds that it is in progress. One that has not for this long has ended with its process. */
const importSilenceMs = 5 * minuteMs
/** How long a shop is skipped after a failure, such as an image store that does not respond. */
const pauseMs = 10 * minuteMs

/** The weight of a row that costs more than a plain one: a call to the image store, or a quarter of a megabyte. */
const weights: Record<string, number> = { images: 100, import_chunks: 40 }

/**
 * Removes everything of shops that were deleted so many days ago, and of imports whose process was killed: table by table,
 * then the shop itself. The next run, on whatever node, finds what remains.
 */
export function createPurgeDeletedShopsJob(graceDays: number, limits = usualLimits): Job {
  let walk: Walk | undefined
  const pausedUntil = new Map<string, Date>()
  return {
    name: 'deleted shops',
    everyMs: 10 * secondMs,
    runsOn: 'one node',
    async run(context) {
      const before = after(context.now, -graceDays * dayMs)
      await giveUpImports(context, after(context.now, -importSilenceMs))
      const shops = await listDeletedShops(context, before, shopsPerRun)
      if (!shops.some(({ id }) => id === walk?.shop.id)) walk = undefined
      let rowsLeft = limits.rowsPerRun
      for (const shop of shops) {
        if ((pausedUntil.get(shop.id) ?? before) > context.now) continue
        try {
          if (walk?.shop.id !== shop.id) walk = await beginWalk(context, shop)
          rowsLeft -= await walkOn(context, walk, limits.batchRows, rowsLeft)
          if (rowsLeft <= 0) return
          await removeShopItself(context, shop, before)
          pausedUntil.delete(shop.id)
        } catch (err) {
          context.log.error({ err, shop: shop.id }, 'a deleted shop could not be removed; it is tried again later')
          pausedUntil.set(shop.id, after(context.now, pauseMs))
        }
        walk = undefined
      }
    },
  }
}

type DeletedShop = Pick<ShopRow, 'id' | 'slug'>

/** The progress of this process with a shop: deleted rows are not visited again. */
interface Walk {
  shop: DeletedShop
  /** Those that remain; the first is being emptied. */
  tables: ShopTable[]
  /** The last row of the first table that is gone. */
  last: string[] | undefined
  hasFound: boolean
}

async function beginWalk(context: Context, shop: DeletedShop): Promise<Walk> {
  while ((await deleteKeys(context, shop)) === keysAtOnce);
  while ((await deletePeople(context, shop)) === keysAtOnce);
  const tables = await listShopTables(context)
  // Images last: if their store does not respond, all the rest is gone.
  const inOrder = tables.toSorted((left, right) => Number(left.name === 'images') - Number(right.name === 'images'))
  return { shop, tables: inOrder, last: undefined, hasFound: false }
}

/** A key that is for other shops as well only loses this one, with the table that binds it. */
function deleteKeys(context: Context, shop: DeletedShop): Promise<number> {
  return inTransaction(context, async (context) => {
    const count = await deleteKeysOfShopAlone(context, shop.id, keysAtOnce)
    if (count > 0) await context.services.announce(context, { kind: 'shop', ...shop })
    return count
  })
}

/** The same for people. */
function deletePeople(context: Context, shop: DeletedShop): Promise<number> {
  return inTransaction(context, async (context) => {
    const count = await deletePeopleOfShopAlone(context, shop.id, keysAtOnce)
    if (count > 0) await context.services.announce(context, { kind: 'shop', ...shop })
    return count
  })
}

/** Deletes until nothing remains, or so many rows are gone; returns how many. After a pass that found rows comes another. */
async function walkOn(context: Context, walk: Walk, batchRows: number, rowsLeft: number): Promise<number> {
  let gone = 0
  for (let [table] = walk.tables; table !== undefined && gone < rowsLeft; [table] = walk.tables) {
    const weight = weights[table.name] ?? 1
    const deleted = await deleteSome(context, walk, table, Math.max(1, Math.floor(batchRows / weight)))
    gone += deleted.count * weight
    walk.hasFound ||= deleted.count > 0
    walk.last = deleted.last
    if (deleted.last === undefined) walk.tables.shift()
    if (walk.tables.length === 0 && walk.hasFound) Object.assign(walk, await beginWalk(context, walk.shop))
  }
  return gone
}

function deleteSome(context: Context, { shop, last }: Walk, table: ShopTable, limit: number): Promise<DeletedRows> {
  if (table.name === 'images') return deleteSomeImages(context, shop.id, last?.[0] ?? '', limit)
  return deleteRowsOfShop(context, table, shop.id, { after: last, limit })
}

async function deleteSomeImages(context: Context, shopId: string, from: string, limit: number): Promise<DeletedRows> {
  const keys = await listImageKeys(context, shopId, from, limit)
  // The bytes first: without the row they could not be found.
  await Promise.all(keys.map((key) => context.services.imageStore.delete(key)))
  await deleteImages(context, shopId, keys)
  const last = keys.at(-1)
  return { count: keys.length, last: keys.length < limit || last === undefined ? undefined : [last] }
}

async function removeShopItself(context: Context, shop: DeletedShop, before: Date): Promise<void> {
  const isRemoved = await inTransaction(context, async (context) => {
    await context.services.announce(context, { kind: 'shop', ...shop })
    return removeShop(context, shop.id, before)
  })
  if (isRemoved) context.log.info({ shop: shop.id, slug: shop.slug }, 'everything of a deleted shop was removed')
}
