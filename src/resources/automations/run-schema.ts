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
      description: 'The event that triggered the run',
      examples: ['shipments/delivered/SUCCESSFULLY_DELIVERED'],
    }),
    shipment_id: Nullable(Uuid),
    order_id: Nullable(Uuid),
    hops: Type.Integer({ description: 'How many automations led to the event', examples: [0] }),
    status: OneOf(runStatuses, {
      description:
        'pending: not due yet, or will be retried; cancelled: the automation was deleted or switched off before the run was due; prevented: it would have caused a loop',
      examples: ['done'],
    }),
    reason: Nullable(
      Type.String({ description: 'Why the status is not done', examples: ['the automation was deleted'] }),
    ),
    triggered_at: DateTime,
    due_at: DateTime,
    finished_at: Nullable(DateTime),
    actions: Type.Array(
      Type.Object({
        action: Action,
        status: OneOf(actionStatuses, {
          description: 'sending: its delivery is not finished yet; skipped: there was nothing to do',
          examples: ['done'],
        }),
        detail: Nullable(Type.String({ examples: ['there is no claim that can become accepted'] })),
        delivery_id: Nullable(Uuid),
        claim_ids: Type.Array(Uuid, { description: 'The claims that the action created or changed' }),
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
        description: 'How many days to look back. Default: 7',
        examples: [7],
      }),
    ),
  }),
)

export const DryRunReport = Named(
  'AutomationDryRunReport',
  Type.Object({
    since: DateTime,
    evaluated: Type.Integer({ description: 'How many events matched the trigger', examples: [120] }),
    matched: Type.Integer({ description: 'How many of them met all conditions', examples: [3] }),
    is_complete: Type.Boolean({ description: 'False if there were more events than a dry run evaluates' }),
    runs: Type.Array(
      Type.Object({
        notification_id: Uuid,
        ref: Type.String({ examples: ['shipments/delivered/SUCCESSFULLY_DELIVERED'] }),
        shipment_id: Nullable(Uuid),
        order_id: Nullable(Uuid),
        triggered_at: DateTime,
        due_at: DateTime,
        prevented: Nullable(
          Type.String({
            description: 'Why the automation would not have run',
            examples: ['an automation does not run itself'],
          }),
        ),
        actions: Type.Array(
          Type.Object({
            action: Action,
            would_act: Type.Boolean(),
            detail: Type.String({ examples: ['would notify klaviyo'] }),
          }),
        ),
      }),
      { description: 'The newest matches, at most 100' },
    ),
  }),
)
export type DryRunReport = Static<typeof DryRunReport>
