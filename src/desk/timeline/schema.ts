import { runStatuses } from '../../automations/run-schema.ts'
import { Delivery, deliveryStatuses, stages } from '../../delivery/log/schema.ts'
import { phases } from '../../platform/catalogue/catalogue.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

const Notification = Type.Object({
  uuid: Uuid,
  ref: Type.String({ examples: ['shipments/in_delivery/OUT_FOR_DELIVERY'] }),
  event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
  triggered_at: DateTime,
  deliveries: Type.Array(Delivery),
  automations: Type.Array(
    Type.Object({
      automation_id: Uuid,
      name: Type.String({ examples: ['Ask after a lost parcel'] }),
      run_id: Uuid,
      status: OneOf(runStatuses, { examples: ['done'] }),
      due_at: DateTime,
    }),
    { description: 'The automations that matched it' },
  ),
})

const reasons = ['told', 'not asked to notify', 'no event group', 'no receiver'] as const

const PageViews = Type.Object({
  first_viewed_at: DateTime,
  last_viewed_at: DateTime,
  views: Type.Integer({ description: 'Visits in this hour; several looks in ten minutes are one', examples: [2] }),
})

export const Timeline = Named(
  'Timeline',
  Type.Object({
    shipment_id: Uuid,
    events: Type.Array(
      Type.Object({
        event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
        phase: OneOf(phases, { examples: ['in_delivery'] }),
        event_group: Nullable(Type.String({ examples: ['shipment_out_for_delivery'] })),
        time: DateTime,
        recorded_at: DateTime,
        source: Type.String({ description: 'api, system, or the name of the tracking provider', examples: ['api'] }),
        reason: OneOf(reasons, {
          description:
            'Why the event was or was not published. told: it had receivers; not asked to notify: it was sent without notify=true; no event group: it has no group to publish; no receiver: nothing subscribes to it',
        }),
        notifications: Type.Array(Notification),
      }),
    ),
    others: Type.Array(Notification, {
      description: 'Notifications without an event of the shipment: internal triggers and claims',
    }),
    page_views: Type.Array(PageViews, { description: "When the tracking page of the shipment's order was viewed" }),
  }),
)
export type Timeline = Static<typeof Timeline>

const entryKinds = ['order_placed', 'event', 'message', 'rule', 'page_view', 'claim'] as const

const EventPart = Type.Object({
  event_key: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
  phase: OneOf(phases, { examples: ['in_delivery'] }),
  label: Type.String({ description: "In words, in the caller's language", examples: ['Out for delivery'] }),
  location: Nullable(Type.String({ examples: ['Berlin, DE'] })),
  source: Type.String({ description: 'api, system, or the name of the tracking provider', examples: ['api'] }),
  recorded_at: DateTime,
  reason: OneOf(reasons, { description: 'Why it was or was not published, as in the timeline of a shipment' }),
})

const MessagePart = Type.Object({
  delivery_id: Uuid,
  integration: Nullable(
    Type.String({
      description: 'The system that writes to the customer; null for a receiver of webhooks',
      examples: ['klaviyo'],
    }),
  ),
  webhook_id: Nullable(Uuid),
  url: Nullable(
    Type.String({ description: 'The address that an automation sends to', examples: ['https://shop.example/***'] }),
  ),
  event_group: Type.String({ examples: ['shipment_out_for_delivery'] }),
  event_name: Type.String({ examples: ['OUT_FOR_DELIVERY'] }),
  label: Nullable(Type.String({ description: 'The event in words; null for claims', examples: ['Out for delivery'] })),
  status: OneOf(deliveryStatuses, { examples: ['delivered'] }),
  attempt_count: Type.Integer({ examples: [1] }),
  next_attempt_at: Nullable(DateTime),
  finished_at: Nullable(DateTime),
  failure: Nullable(
    Type.Object(
      {
        stage: Nullable(OneOf(stages, { examples: ['status'] })),
        status_code: Nullable(Type.Integer({ examples: [503] })),
        error: Nullable(Type.String({ examples: ['returned 503'] })),
      },
      { description: 'Why the last attempt failed; null if it did not' },
    ),
  ),
})

const RulePart = Type.Object({
  automation_id: Uuid,
  name: Type.String({ examples: ['Ask after a lost parcel'] }),
  status: OneOf(runStatuses, { examples: ['done'] }),
  reason: Nullable(Type.String({ description: 'Why it did not run', examples: ['the automation was switched off'] })),
  due_at: DateTime,
})

const ClaimPart = Type.Object({
  uuid: Uuid,
  kind: Type.String({ description: 'claim or withdrawal', examples: ['claim'] }),
  reason: Type.String({ examples: ['damaged'] }),
  status: Type.String({ examples: ['pending'] }),
  updated_at: DateTime,
})

export const OrderTimeline = Named(
  'OrderTimeline',
  Type.Object({
    order_id: Uuid,
    entries: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Unique in this timeline', examples: ['0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'] }),
        kind: OneOf(entryKinds, { description: 'Which of the parts below it has', examples: ['message'] }),
        at: DateTime,
        shipment_id: Nullable(Uuid),
        caused_by: Nullable(Type.String({ description: 'The id of the entry that led to it' })),
        event: Nullable(EventPart),
        message: Nullable(MessagePart),
        rule: Nullable(RulePart),
        page_views: Nullable(PageViews),
        claim: Nullable(ClaimPart),
      }),
      { description: 'Oldest first. Of very long stories, the newest parts' },
    ),
  }),
)
export type OrderTimeline = Static<typeof OrderTimeline>
export type TimelineEntry = OrderTimeline['entries'][number]
