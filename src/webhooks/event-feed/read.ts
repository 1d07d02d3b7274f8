import { filtersOf } from '../../delivery/receivers/filters.ts'
import { hourMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { positionOf } from './cursor.ts'
import { fromNowOn } from './schema.ts'
import {
  type Entry,
  type Feed,
  findBodies,
  findFeed,
  listEntries,
  markRead,
  numberArrivals,
  switchOn,
} from './store.ts'

/** Entries that a reading by type examines, in steps: those that it skips cost time, too. */
const examinedAtOnce = 1_000
const examinedSteps = 5

export interface SliceRequest {
  after: number
  limit: number
  /** Undefined: all. */
  types: readonly string[] | undefined
}

/** A part of a feed. */
export interface Slice {
  feedId: string
  events: { position: number; body: string }[]
  /** The last position that was examined. */
  next: number
  hasMore: boolean
}

/** The shop's feed, which its first reading switches on, and the position that the reading begins after. */
export async function openFeed(
  context: ShopContext,
  after: string | undefined,
): Promise<{ feed: Feed; position: number }> {
  const known = await findFeed(context)
  const feed = known?.isOn ? known : await switchOn(context, newId(context.now))
  if (context.now.getTime() - feed.readAt.getTime() > hourMs) await markRead(context)
  if (after === undefined) return { feed, position: feed.expiredPosition }
  if (after === fromNowOn) return { feed, position: await findEnd(context, feed) }
  const position = positionOf(feed.id, after)
  // Beyond the end: the store was restored from a backup, and other events will get these positions.
  if (position < feed.expiredPosition || position > feed.lastPosition) throw expired()
  return { feed, position }
}

/** Reads the events that follow a position, and numbers those that arrived. */
export async function readSlice(context: ShopContext, feed: Feed, request: SliceRequest): Promise<Slice> {
  if (feed.hasArrivals) await numberArrivals(context, context.shop.id)
  const { entries, next, hasMore } = await listMatching(context, request)
  const bodies = await findBodies(
    context,
    entries.map(({ notificationId }) => notificationId),
  )
  const events = entries.map(({ position, notificationId }) => {
    const body = bodies.get(notificationId)
    // It expired since the entries were read.
    if (body === undefined) throw expired()
    return { position, body }
  })
  return { feedId: feed.id, events, next, hasMore }
}

async function listMatching(
  context: ShopContext,
  { after, limit, types }: SliceRequest,
): Promise<{ entries: Entry[]; next: number; hasMore: boolean }> {
  const entries: Entry[] = []
  const size = types === undefined ? limit : examinedAtOnce
  let next = after
  for (let step = 0; step < examinedSteps; step += 1) {
    const found = await listEntries(context, next, size)
    for (const entry of found) {
      // Positions have no gaps, so what is missing has expired since the feed was read.
      if (entry.position !== next + 1) throw expired()
      next = entry.position
      if (matches(entry, types)) entries.push(entry)
      if (entries.length === limit) return { entries, next, hasMore: true }
    }
    if (found.length < size) return { entries, next, hasMore: false }
  }
  return { entries, next, hasMore: true }
}

function matches({ ref }: Entry, types: readonly string[] | undefined): boolean {
  return types === undefined || filtersOf(ref).some((filter) => types.includes(filter))
}

/** The position of the last event that is stored now. */
async function findEnd(context: ShopContext, feed: Feed): Promise<number> {
  if (!feed.hasArrivals) return feed.lastPosition
  await numberArrivals(context, context.shop.id)
  return (await findFeed(context))?.lastPosition ?? feed.lastPosition
}

function expired(): ApiError {
  return new ApiError(
    'cursor_expired',
    'The events after this cursor are no longer kept. Read what you need from the API, and then the feed without a cursor.',
  )
}
