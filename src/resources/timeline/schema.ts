import { phases } from '../../catalogue/catalogue.ts'
import { Delivery } from '../../deliveries/log-schema.ts'
import { DateTime, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { runStatuses } from '../automations/run-schema.ts'

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

export const reasons = ['told', 'not asked to notify', 'no event group', 'no receiver'] as const

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
  }),
)
export type Timeline = Static<typeof Timeline>
