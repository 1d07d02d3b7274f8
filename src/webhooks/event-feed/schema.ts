import { Named, type Static, Type } from '../../platform/foundation/schema.ts'
import { WebhookPayload } from '../payloads/payload-schema.ts'

/** The longest time that a read waits for an event. */
const maxWaitSeconds = 30
export const usualLimit = 100

/** In place of a cursor: only what comes from now on. */
export const fromNowOn = 'latest'

const Cursor = Type.String({ maxLength: 64, examples: ['AZMrxHseeAGdOi9vehtMXQAAAAAAKg'] })

export const FeedQuery = Type.Object({
  after: Type.Optional({
    ...Cursor,
    description:
      'The cursor of an event, or `next` of an earlier reading. `latest`: only what comes from now on. Absent: from the oldest event that is kept',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: usualLimit, description: 'Events at most in one reading' }),
  ),
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_000,
      description:
        'Only these, separated by commas, as in `enabled_events` of webhooks: `*`, a source, `shipments/{phase}`, `shipments/at_risk`, or one event',
      examples: ['shipments/delivered,claims/created'],
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 0,
      description: 'Seconds to wait for an event if there is none yet',
    }),
  ),
})
export type FeedQuery = Static<typeof FeedQuery>

const FeedEvent = Named(
  'FeedEvent',
  Type.Object({
    cursor: { ...Cursor, description: 'The place of this event: read on after it' },
    ...WebhookPayload.properties,
  }),
)

export const FeedPage = Named(
  'FeedPage',
  Type.Object({
    events: Type.Array(FeedEvent),
    next: {
      ...Cursor,
      description: 'Where the next reading continues, also past events that `types` left out',
    },
  }),
)
export type FeedPage = Static<typeof FeedPage>
