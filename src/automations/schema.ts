import { claimReasons, claimStatuses, resolutionPreferences } from '../claims/claims/schema.ts'
import { mailReceiver } from '../delivery/queue/delivery.ts'
import { Condition, Conditions } from '../delivery/receivers/conditions.ts'
import {
  DateTime,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  type TSchema,
  Type,
  Url,
  Uuid,
} from '../platform/foundation/schema.ts'
import { integrations } from '../shops/settings/integrations.ts'

/** 90 days, which is longer than any follow-up on a parcel takes. */
const maxDelayMinutes = 90 * 24 * 60

const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Ask after a lost parcel'] })
const Description = Type.String({ maxLength: 1_000, examples: ['Opens an investigation before the customer has to.'] })
const Trigger = Type.Object({
  events: Type.Array(Type.String({ maxLength: 200, examples: ['shipments/delivery_failed'] }), {
    minItems: 1,
    maxItems: 200,
    description:
      'The events that trigger it: `*`, a source, `shipments/{phase}`, `shipments/at_risk`, or one event such as `claims/created`',
  }),
})
const DelayMinutes = Type.Integer({
  minimum: 0,
  maximum: maxDelayMinutes,
  description: 'How long after the event the actions are executed',
  examples: [60],
})

const Integration = OneOf([...integrations, mailReceiver], { examples: ['klaviyo'] })
const EventGroup = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,99}$',
  examples: ['shipment_investigated'],
})
const Segment = Type.String({ minLength: 1, maxLength: 255, examples: ['had-trouble'] })
const Status = OneOf(claimStatuses, { examples: ['accepted'] })
const Reason = OneOf(claimReasons, { examples: ['investigation'] })
const Preference = OneOf(resolutionPreferences, { examples: ['reorder'] })

const actionOf = <Kind extends string, Fields extends Record<string, TSchema>>(kind: Kind, fields: Fields) =>
  Type.Object({ type: OneOf([kind]), ...fields })

/** An action with the fields of its type. */
export const Action = Named(
  'AutomationAction',
  Type.Union([
    actionOf('notify', { integration: Integration, event_group: Type.Optional(EventGroup) }),
    actionOf('webhook', { url: Url }),
    actionOf('add_segment', { segment: Segment }),
    actionOf('update_claim', { status: Status }),
    actionOf('create_claim', { reason: Reason, resolution_preference: Type.Optional(Preference) }),
  ]),
)
export type Action = Static<typeof Action>
export type ActionType = Action['type']
const actionTypes = ['notify', 'webhook', 'add_segment', 'update_claim', 'create_claim'] as const

/** The fields of all types; those of another type are ignored like unknown fields. */
export const ActionInput = Named(
  'AutomationActionInput',
  Type.Object(
    {
      type: OneOf(actionTypes),
      integration: Maybe({
        ...Integration,
        description: 'notify: the integration; it does not have to be enabled for other events',
      }),
      event_group: Maybe({
        ...EventGroup,
        description: "notify: the event group to send; default: the event's own group",
      }),
      url: Maybe({
        ...Url,
        description:
          'webhook: the URL that the event is sent to. Requests are not signed, because there is no shared secret.',
      }),
      segment: Maybe({ ...Segment, description: 'add_segment: the segment that is added to the order' }),
      status: Maybe({
        ...Status,
        description: "update_claim: the new status of the event's claim, or of the claims about its shipment",
      }),
      reason: Maybe({ ...Reason, description: "create_claim: the reason of the new claim about the event's shipment" }),
      resolution_preference: Maybe({ ...Preference, description: 'create_claim: the preference of the new claim' }),
    },
    { examples: [{ type: 'notify', integration: 'klaviyo', event_group: 'shipment_investigated' }] },
  ),
)
export type ActionInput = Static<typeof ActionInput>

export const AutomationWrite = Named(
  'AutomationWrite',
  Type.Object({
    name: Name,
    description: Maybe(Description),
    enabled: Maybe({ ...Type.Boolean(), description: 'Default: true' }),
    trigger: Trigger,
    conditions: Maybe(Conditions),
    delay_minutes: Maybe(DelayMinutes),
    actions: Type.Array(ActionInput, { minItems: 1, maxItems: 20 }),
  }),
)
export type AutomationWrite = Static<typeof AutomationWrite>

/** The part of an automation that a dry run needs: the name is chosen last, and the actions may still be missing. */
export const AutomationDraft = Named(
  'AutomationDraft',
  Type.Object({
    trigger: Trigger,
    conditions: Maybe(Conditions),
    delay_minutes: Maybe(DelayMinutes),
    actions: Maybe(Type.Array(ActionInput, { maxItems: 20 })),
  }),
)
export type AutomationDraft = Static<typeof AutomationDraft>

export const Automation = Named(
  'Automation',
  Type.Object({
    uuid: Uuid,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
    name: Name,
    description: Nullable(Description),
    enabled: Type.Boolean(),
    trigger: Trigger,
    conditions: Type.Array(Condition),
    delay_minutes: DelayMinutes,
    actions: Type.Array(Action),
    created_at: DateTime,
    updated_at: DateTime,
  }),
)
export type Automation = Static<typeof Automation>
