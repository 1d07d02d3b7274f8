import { secondMs } from '../../foundation/clock.ts'
import { invalid } from '../../foundation/errors.ts'
import { operation } from '../../foundation/operation.ts'
import { isEventFilter } from '../../notifications/filters.ts'
import { toCursor } from './cursor.ts'
import { openFeed, readSlice, type Slice } from './read.ts'
import { FeedPage, FeedQuery, usualLimit } from './schema.ts'
import { waitForEvents } from './wait.ts'

export const listEvents = operation({
  name: 'listEvents',
  summary: 'Read the events of a shop in order',
  description: `Every published event with the payload of its webhooks, whether or not anybody subscribes to it. Events come in the order in which they were committed; none is missing and none is repeated. Continue with \`next\`, or after a crash with the cursor of the last event that you have processed.

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
    return toPage(wait === 0 ? slice : await waitForEvents(context, slice, request, wait * secondMs))
  },
})

function readTypes(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const types = given.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !isEventFilter(type))
  if (unknown !== undefined) throw invalid(['query', 'types'], `"${unknown}" is not a known event`)
  return types.includes('*') ? undefined : types
}

function toPage({ feedId, events, next }: Slice): FeedPage {
  return {
    // The stored payloads, which this service has written.
    events: events.map(({ position, body }) => ({ cursor: toCursor(feedId, position), ...JSON.parse(body) })),
    next: toCursor(feedId, next),
  }
}
