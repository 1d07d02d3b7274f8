import { isEventFilter } from '../../delivery/receivers/filters.ts'
import { hasPageToken, hidesPages } from '../../orders/page-addresses/hide-tokens.ts'
import { secondMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { toCursor } from './cursor.ts'
import { openFeed, readSlice, type Slice, type SliceRequest } from './read.ts'
import { FeedPage, FeedQuery, usualLimit } from './schema.ts'
import { findFeed } from './store.ts'

export const listEvents = operation({
  name: 'listEvents',
  summary: 'Read the events of a shop in order',
  description: `Every published event with the payload of its webhooks, whether or not anybody subscribes to it; a viewer does not get the address of the customer's page. Events come in the order in which they were committed; none is missing and none is repeated. Continue with \`next\`, or after a crash with the cursor of the last event that you have processed.

The first reading switches the shop's feed on: events are kept from then on, for as long as notifications are. A feed that nobody has read for 30 days is switched off until it is read again.

With \`wait\`, a reading that finds nothing ends as soon as there is an event. A key may have 20 of them waiting at a time.`,
  area: 'Event feed',
  route: 'GET /v1/shops/{slug}/events',
  needs: 'viewer',
  query: FeedQuery,
  reply: FeedPage,
  errors: ['cursor_expired'],
  async handle(context, { query }) {
    const { after, limit = usualLimit, wait = 0 } = query
    const types = readTypes(query.types)
    const { feed, position } = await openFeed(context, after)
    const request = { after: position, limit, types }
    const slice = await readSlice(context, feed, request)
    return toPage(context, wait === 0 ? slice : await waitForEvents(context, slice, request, wait * secondMs))
  },
})

function readTypes(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const types = given.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !isEventFilter(type))
  if (unknown !== undefined) throw invalid(['query', 'types'], `"${unknown}" is not a known event`)
  return types.includes('*') ? undefined : types
}

function toPage(context: ShopContext, { feedId, events, next }: Slice): FeedPage {
  const hides = hidesPages(context)
  return {
    events: events.map(({ position, body }) => {
      // The stored payloads, which this service has written.
      const event: FeedEvent = { cursor: toCursor(feedId, position), ...JSON.parse(body) }
      return hides ? withoutPage(context.shop, event) : event
    }),
    next: toCursor(feedId, next),
  }
}

type FeedEvent = FeedPage['events'][number]

/** The event without our page of the order; the shop's own stays. */
function withoutPage(shop: ShopContext['shop'], event: FeedEvent): FeedEvent {
  const { order } = event.context
  if (!hasPageToken(shop, order.order_status_url ?? '')) return event
  const context = { ...event.context, order: { ...order, order_status_url: null } }
  if (!('order_status_url' in event.event_data)) return { ...event, context }
  const { order_status_url: _, ...event_data } = event.event_data
  return { ...event, event_data, context }
}

/** Reads again when there may be something new, until there is or the time is over. No connection is held meanwhile. */
async function waitForEvents(
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
