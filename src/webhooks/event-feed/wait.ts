import type { ShopContext } from '../../platform/foundation/context.ts'
import { readSlice, type Slice, type SliceRequest } from './read.ts'
import { findFeed } from './store.ts'

/** Reads again when there may be something new, until there is or the time is over. No connection is held meanwhile. */
export async function waitForEvents(
  context: ShopContext,
  first: Slice,
  request: SliceRequest,
  waitMs: number,
): Promise<Slice> {
  if (!isEmpty(first)) return first
  // Before the second read, so that nothing that is committed in between is missed.
  const waiter = context.services.feedReaders.begin(context)
  const endsAt = performance.now() + waitMs
  let slice = first
  try {
    for (;;) {
      const feed = await findFeed(context)
      if (feed === undefined) return slice
      slice = await readSlice(context, feed, { ...request, after: slice.next })
      const leftMs = endsAt - performance.now()
      if (!isEmpty(slice) || leftMs <= 0 || waiter.isOver) return slice
      await waiter.wait(slice.next, leftMs)
    }
  } finally {
    waiter.end()
  }
}

function isEmpty({ events, hasMore }: Slice): boolean {
  return events.length === 0 && !hasMore
}
