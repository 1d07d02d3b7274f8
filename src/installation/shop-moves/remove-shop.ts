import { deleteKeysOfShopAlone } from '../../access/keys/store.ts'
import { deletePeopleOfShopAlone } from '../../access/people/store.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { deleteRowsOfShop, listShopTables } from '../../platform/store/shop-tables.ts'
import { listImageKeys } from '../../shops/images/store.ts'
import { removeShop } from '../../shops/shops/store.ts'
import type { Manifest } from './archive-entries.ts'
import { findSameShops } from './store.ts'

/** An import that was silent for this long has ended with its process. */
const silenceMs = minuteMs
const purgedAtOnce = 500
const keysAtOnce = 1_000

/** Whether the shop can be imported. What a killed import has left behind is removed. */
export async function removePrevious(
  context: Context,
  manifest: Manifest,
  { replaceDeleted }: { replaceDeleted: boolean },
): Promise<void> {
  for (const known of await findSameShops(context, manifest.shopId, manifest.slug)) {
    if (known.deletedAt === null) {
      throw new ApiError('shop_exists', `There is already a shop "${known.slug}". Delete it first.`)
    }
    const isLeftOver = known.pausedFor === 'import'
    if (isLeftOver && context.now.getTime() - known.updatedAt.getTime() < silenceMs) {
      throw new ApiError('shop_exists', 'This shop is being imported, or was a minute ago. Try again in a minute.')
    }
    if (!isLeftOver && !replaceDeleted) {
      throw new ApiError(
        'shop_exists',
        `The shop "${known.slug}" was deleted here, and its data can still be restored. Import with replace_deleted to remove them first.`,
      )
    }
    await removeEverything(context, manifest.shopId)
  }
}

/** Removes the rows and images of a shop that is hidden. */
export async function removeEverything(context: Context, shopId: string): Promise<void> {
  while ((await deleteKeysOfShopAlone(context, shopId, keysAtOnce)) === keysAtOnce);
  while ((await deletePeopleOfShopAlone(context, shopId, keysAtOnce)) === keysAtOnce);
  for (let keys = await listImageKeys(context, shopId, '', keysAtOnce); keys.length > 0; ) {
    // The bytes first: without the row they could not be found.
    await Promise.all(keys.map((key) => context.services.imageStore.delete(key)))
    keys = keys.length < keysAtOnce ? [] : await listImageKeys(context, shopId, keys.at(-1) ?? '', keysAtOnce)
  }
  for (let hasFound = true; hasFound; ) {
    hasFound = false
    for (const table of await listShopTables(context)) {
      for (let last: string[] | undefined, more = true; more; more = last !== undefined) {
        const deleted = await deleteRowsOfShop(context, table, shopId, { after: last, limit: purgedAtOnce })
        hasFound ||= deleted.count > 0
        last = deleted.last
      }
    }
  }
  await removeShop(context, shopId, new Date(context.services.clock.now().getTime() + silenceMs))
}
