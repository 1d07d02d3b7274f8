import { shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { OrderProblem } from '../past-orders/schema.ts'

const backfillStatuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const

/** Further problems are counted, but not stored. */
export const maxProblems = 100
const maxDays = 365

const Days = Type.Integer({ minimum: 1, maximum: maxDays, description: 'How far to go back', examples: [90] })

export const BackfillCreation = Named(
  'BackfillCreation',
  Type.Object({ system: OneOf(shopSystemNames, { examples: ['shopify'] }), days: Days }),
)

const waitingReasons = ['rate_limited', 'unreachable'] as const

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const Backfill = Named(
  'Backfill',
  Type.Object({
    id: Uuid,
    system: OneOf(shopSystemNames),
    days: Days,
    status: OneOf(backfillStatuses, {
      description: 'waiting: it continues by itself at waiting_until; failed and cancelled: it can be resumed',
    }),
    since: DateTime,
    total: Nullable(count('How many orders the system has in the period, if it says so', 500)),
    read: count('Orders read so far; each is counted in one of the following, too', 120),
    created: count('New orders', 100),
    updated: count('Orders that were known and have changed', 5),
    unchanged: count('Orders that were known', 10),
    skipped: count('Orders that were never placed, such as unpaid ones', 4),
    failed: count('Orders with a problem; nothing of them is written', 1),
    problems: Type.Array(OrderProblem, { description: `The first ${maxProblems}` }),
    waiting_until: Nullable(DateTime),
    waiting_reason: Nullable(OneOf(waitingReasons)),
    error: Nullable(
      Type.Object({
        key: Type.String({ examples: ['partner_key_missing_permissions'] }),
        message: Type.String({ examples: ['Shopify rejects the access token. Set a new one and resume.'] }),
      }),
    ),
    created_at: DateTime,
    started_at: Nullable(DateTime),
    finished_at: Nullable(DateTime),
    updated_at: DateTime,
  }),
)
export type Backfill = Static<typeof Backfill>
