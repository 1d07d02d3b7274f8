import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { failureReasons } from './failure-reason.ts'
import { countedAtMost } from './health-store.ts'

const healthStates = ['healthy', 'failing', 'no_deliveries', 'disabled'] as const

const count = (description: string, example = 0) => Type.Integer({ description, examples: [example] })

const AttemptFigures = Named(
  'AttemptFigures',
  Type.Object({
    attempts: count('Attempts that succeeded or failed: the sample of the rate', 120),
    failed_attempts: count('Attempts that failed', 3),
    delivered: count('Deliveries that arrived', 117),
    dead: count('Deliveries that were given up'),
    success_rate: Nullable(
      Type.Number({ description: 'Share of attempts that succeeded; null without attempts', examples: [0.975] }),
    ),
  }),
)

export const FailureReasonSchema = OneOf(failureReasons, {
  description:
    'dns: the name has no address; private_address: it leads into a private network; refused, unreachable: no connection; tls: no valid certificate; timeout: no complete response in time; interrupted: the connection broke; redirect: redirects are not followed; unauthorized: 401 or 403, or rejected credentials; not_found: 404 or 410; rate_limited: 429; rejected: another 4xx; server_error: 5xx; endpoint_deleted, no_credentials, not_sent: no attempt was possible',
  examples: ['server_error'],
})

export const ReceiverHealth = Named(
  'ReceiverHealth',
  Type.Object({
    state: OneOf(healthStates, { description: 'failing: the latest attempt failed', examples: ['healthy'] }),
    failing_since: Nullable(DateTime),
    last_success_at: Nullable(DateTime),
    last_failure: Nullable(
      Type.Object({
        at: DateTime,
        reason: Nullable(FailureReasonSchema),
        status_code: Nullable(Type.Integer({ examples: [503] })),
        delivery_id: Nullable(Uuid),
      }),
    ),
    consecutive_failures: count('Failed attempts since the last success'),
    last_24_hours: AttemptFigures,
    last_7_days: AttemptFigures,
    pending: count(`Deliveries that wait for an attempt; ${countedAtMost} means that many or more`, 12),
    dead: count(`Deliveries that were given up and can be resent; ${countedAtMost} means that many or more`),
  }),
)
export type ReceiverHealth = Static<typeof ReceiverHealth>
