import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { Action } from './schema.ts'

export const runStatuses = ['pending', 'done', 'failed', 'cancelled', 'prevented'] as const
const actionStatuses = ['waiting', 'sending', 'done', 'skipped', 'failed'] as const

export const Run = Named(
  'AutomationRun',
  Type.Object({
    uuid: Uuid,
    automation_id: Uuid,
    notification_id: Uuid,
    ref: Type.String({
      description: 'The event that it matched',
      examples: ['shipments/delivered/SUCCESSFULLY_DELIVERED'],
    }),
    shipment_id: Nullable(Uuid),
    order_id: Nullable(Uuid),
    hops: Type.Integer({ description: 'How many automations led to the event', examples: [0] }),
    status: OneOf(runStatuses, {
      description:
        'pending: not due yet, or to be tried again; cancelled: the automation was deleted or switched off before it was due; prevented: it would have been a loop',
      examples: ['done'],
    }),
    reason: Nullable(Type.String({ description: 'Why it is not done', examples: ['the automation was deleted'] })),
    triggered_at: DateTime,
    due_at: DateTime,
    finished_at: Nullable(DateTime),
    actions: Type.Array(
      Type.Object({
        action: Action,
        status: OneOf(actionStatuses, {
          description: 'sending: a delivery of it is under way; skipped: there was nothing to do',
          examples: ['done'],
        }),
        detail: Nullable(Type.String({ examples: ['no claim of it can become accepted'] })),
        delivery_id: Nullable(Uuid),
        claim_ids: Type.Array(Uuid, { description: 'The claims that it made or changed' }),
      }),
    ),
  }),
)
export type Run = Static<typeof Run>

export const DryRun = Named(
  'AutomationDryRun',
  Type.Object({
    days: Maybe(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        description: '7, unless said: how many days to look back',
        examples: [7],
      }),
    ),
  }),
)

export const DryRunReport = Named(
  'AutomationDryRunReport',
  Type.Object({
    since: DateTime,
    evaluated: Type.Integer({ description: 'How many events of its trigger were looked at', examples: [120] }),
    matched: Type.Integer({ description: 'For how many of them its conditions hold', examples: [3] }),
    is_complete: Type.Boolean({ description: 'False where there were more events than are looked at, newest first' }),
    runs: Type.Array(
      Type.Object({
        notification_id: Uuid,
        ref: Type.String({ examples: ['shipments/delivered/SUCCESSFULLY_DELIVERED'] }),
        shipment_id: Nullable(Uuid),
        order_id: Nullable(Uuid),
        triggered_at: DateTime,
        due_at: DateTime,
        prevented: Nullable(
          Type.String({ description: 'Why it would not have run', examples: ['an automation does not run itself'] }),
        ),
        actions: Type.Array(
          Type.Object({
            action: Action,
            would_act: Type.Boolean(),
            detail: Type.String({ examples: ['would tell klaviyo'] }),
          }),
        ),
      }),
      { description: 'The newest that match, 100 at most' },
    ),
  }),
)
export type DryRunReport = Static<typeof DryRunReport>
