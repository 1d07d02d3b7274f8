import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../platform/foundation/schema.ts'
import { Action, AutomationDraft } from './schema.ts'

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
    order_number: Nullable(Type.String({ description: 'Null once the order is gone', examples: ['1001'] })),
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

const evaluated = {
  since: DateTime,
  evaluated: Type.Integer({ description: 'How many events matched the trigger', examples: [120] }),
  matched: Type.Integer({ description: 'How many of them met all conditions', examples: [3] }),
  is_complete: Type.Boolean({ description: 'False if there were more events than a dry run evaluates' }),
}

const dryRunFields = {
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
}

export const DryRunReport = Named(
  'AutomationDryRunReport',
  Type.Object({
    ...evaluated,
    runs: Type.Array(Type.Object(dryRunFields), { description: 'The newest matches, at most 100' }),
  }),
)
export type DryRunReport = Static<typeof DryRunReport>

export const DraftDryRun = Named(
  'AutomationDraftDryRun',
  Type.Object({
    automation: AutomationDraft,
    automation_id: Maybe({ ...Uuid, description: 'The stored automation that is being changed, if there is one' }),
    since: Maybe({ ...DateTime, description: 'Default: seven days ago' }),
    limit: Maybe(
      Type.Integer({ minimum: 1, maximum: 50, description: 'How many matches to return. Default: 50', examples: [50] }),
    ),
  }),
)
export type DraftDryRun = Static<typeof DraftDryRun>

const Count = Type.Integer({ minimum: 0, examples: [12] })

export const DraftDryRunReport = Named(
  'AutomationDraftDryRunReport',
  Type.Object({
    ...evaluated,
    looked_at: { ...Count, description: 'How many past events were considered, newest first: at most 5,000' },
    looked_from: { ...DateTime, description: 'From when on they are all there' },
    rebuilt: {
      ...Count,
      description:
        'How many events matched the trigger, but had no receiver: their payloads were not stored, so they were evaluated with the order as it is now',
    },
    days: Type.Array(
      Type.Object({ date: Type.String({ examples: ['2026-11-01'] }), evaluated: Count, matched: Count }),
      { description: 'Every day (UTC) that was looked at, oldest first' },
    ),
    unmet: Type.Array(
      Type.Object({
        condition: { ...Count, description: 'Its position in the draft' },
        events: { ...Count, description: 'How many events matched the trigger and did not meet it' },
        events_alone: { ...Count, description: 'How many of them met all others' },
      }),
      { description: 'The conditions that kept events out, most often first' },
    ),
    matches: Type.Array(
      Type.Object({
        ...dryRunFields,
        notification_id: Nullable(Uuid),
        order_number: Nullable(Type.String({ examples: ['1001'] })),
        customer_name: Nullable(Type.String({ examples: ['Ada Example'] })),
      }),
      { description: 'The newest matches' },
    ),
  }),
)
export type DraftDryRunReport = Static<typeof DraftDryRunReport>
