import { directions, flags, phases } from '../../platform/catalogue/catalogue.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'

/** Most serious first. */
export const exceptionKinds = ['customs', 'lost', 'failed', 'returning', 'stuck', 'waiting', 'late', 'at_risk'] as const
export type ExceptionKind = (typeof exceptionKinds)[number]

export const exceptionStates = ['open', 'snoozed', 'resolved'] as const

const kindMeanings =
  'customs: customs wants a payment or information, or the parcel goes back; lost: the carrier has lost or destroyed it; failed: the last attempt to deliver it failed, or its last event is an error; ' +
  'returning: it is on its way back to the sender; stuck: no scan for longer than usual on its route; ' +
  'waiting: it waits at a pick-up point; late: the expected or promised day of delivery has passed; ' +
  'at_risk: it will probably not arrive by that day'

const Kind = OneOf(exceptionKinds, { description: kindMeanings, examples: ['stuck'] })
const State = OneOf(exceptionStates, { examples: ['open'] })
const days = (description: string, example = 4) => Nullable(Type.Integer({ description, examples: [example] }))

const ExceptionFacts = Type.Object({
  days: Type.Integer({
    description:
      'Whole days: since the last scan (stuck), since the expected day (late), since it arrived at the pick-up point (waiting), else since the event that says so',
    examples: [5],
  }),
  stuck_after_days: days('After how many days without a scan it counts as stuck; null for other kinds'),
  usual_scan_hours: days(
    'Half of the parcels of this carrier to this country never waited longer for a scan; null if there are too few of them',
    22,
  ),
  expected_by: Nullable({ ...DateTime, description: 'The end of the expected delivery window' }),
  expected_source: Nullable(
    Type.String({ description: 'carrier, or history: predicted from the shop’s own parcels', examples: ['carrier'] }),
  ),
  promised_by: Nullable(
    Type.String({
      format: 'date',
      maxLength: 10,
      description: 'The last day that the customer was promised',
      examples: ['2026-11-20'],
    }),
  ),
  chance: Nullable(
    Type.Number({
      description: 'How likely it arrives by the promised day, or else by the expected one; null if that is not known',
      examples: [0.38],
    }),
  ),
  last_event: Type.Object({
    event_name: Type.String({ examples: ['ARRIVED_AT_SORTING_CENTER'] }),
    text: Type.String({ description: 'In the language of the request', examples: ['Your parcel is on its way'] }),
    time: DateTime,
    city: Nullable(Type.String({ examples: ['Leipzig'] })),
    country_code: Nullable(Type.String({ examples: ['DE'] })),
  }),
  last_report_at: { ...DateTime, description: 'The newest event of any kind' },
  pickup_name: Nullable(Type.String({ examples: ['Kiosk at the corner'] })),
  pickup_type: Nullable(Type.String({ examples: ['shop'] })),
  pickup_by: Nullable({ ...DateTime, description: 'Until when it can be picked up' }),
})

/** A parcel that needs a person, and why. */
export const Exception = Named(
  'Exception',
  Type.Object({
    shipment_id: Uuid,
    order_id: Uuid,
    order_number: Type.String({ examples: ['1001'] }),
    customer_name: Nullable(Type.String({ examples: ['Ada Example'] })),
    tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    destination_country: Nullable(Type.String({ examples: ['AT'] })),
    direction: OneOf(directions, { examples: ['merchant_customer'] }),
    phase: OneOf(phases, { examples: ['in_transit'] }),
    flag: OneOf(flags, { examples: ['normal'] }),
    kind: Kind,
    other_kinds: Type.Array(Kind, { description: 'What else applies, most serious first', examples: [['late']] }),
    since: DateTime,
    facts: ExceptionFacts,
    reason: Type.String({
      description: 'The facts as an English sentence',
      examples: [
        'DHL has not reported on this parcel for 4 days; parcels to Austria usually get a scan at least every day.',
      ],
    }),
    state: State,
    assigned_to: Nullable(Type.String({ examples: ['Ada Example'] })),
    snoozed_until: Nullable(DateTime),
    resolved_at: Nullable(DateTime),
    resolved_by: Nullable(Type.String({ examples: ['Ada Example'] })),
    created_at: { ...DateTime, description: 'When it was listed' },
    updated_at: DateTime,
  }),
)
export type Exception = Static<typeof Exception>

const AssignedTo = Type.String({ minLength: 1, maxLength: 200, examples: ['Ada Example'] })

export const ExceptionFilter = PagedQuery({
  kind: Type.Optional(Kind),
  state: Type.Optional(
    OneOf([...exceptionStates, 'all'], { default: 'open', description: 'Default: open', examples: ['open'] }),
  ),
  assigned_to: Type.Optional(AssignedTo),
  carrier: Type.Optional(Type.String({ minLength: 1, maxLength: 255, examples: ['dhl'] })),
  country: Type.Optional(
    Type.String({ minLength: 1, maxLength: 10, description: 'Destination country', examples: ['AT'] }),
  ),
  sort: Type.Optional(
    OneOf(['severity', 'since', '-since'], {
      default: 'severity',
      description: 'severity: most serious first, then oldest; since: oldest first',
      examples: ['severity'],
    }),
  ),
})
export type ExceptionFilter = Static<typeof ExceptionFilter>

const changes = {
  assigned_to: Maybe({ ...AssignedTo, description: 'The name of a colleague; null: nobody' }),
  snoozed_until: Maybe({ ...DateTime, description: 'At most a year ahead; null ends a snooze' }),
  resolved: Maybe(Type.Boolean({ description: 'false opens it again', examples: [true] })),
  note: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 5_000,
      description: 'Is added to the notes of the parcel',
      examples: ['Asked DHL to search for it.'],
    }),
  ),
}

export const ExceptionChange = Named('ExceptionChange', Type.Object(changes))
export type ExceptionChange = Static<typeof ExceptionChange>

const maxShipments = 100

export const ExceptionBulkChange = Named(
  'ExceptionBulkChange',
  Type.Object({
    shipment_ids: Type.Array(Uuid, { minItems: 1, maxItems: maxShipments }),
    ...changes,
  }),
)

export const ExceptionBulkReply = Named(
  'ExceptionBulkReply',
  Type.Object({
    changed: Type.Array(Exception),
    not_listed: Type.Array(Uuid, { description: 'Parcels that are not on the list: they moved on, or never were' }),
  }),
)

export type ExceptionBulkReply = Static<typeof ExceptionBulkReply>

const limit = (description: string, value: number) =>
  Type.Integer({ minimum: 1, maximum: 60, description, examples: [value], default: value })

const limits = {
  stuck_days_order_processed: limit('Days without a first scan after the label was made', 4),
  stuck_days_in_transit: limit('Days without a scan in transit, for routes with too few parcels to learn from', 4),
  stuck_days_in_delivery: limit('Days without a scan after it went out for delivery', 2),
  stuck_days_return_transit: limit('Days without a scan on the way back', 7),
  pickup_days: limit('Days at a pick-up point', 3),
}

export const ExceptionSettings = Named('ExceptionSettings', Type.Object(limits))
export type ExceptionSettings = Static<typeof ExceptionSettings>

export const ExceptionSettingsUpdate = Named(
  'ExceptionSettingsUpdate',
  Type.Object({
    stuck_days_order_processed: Maybe(limits.stuck_days_order_processed),
    stuck_days_in_transit: Maybe(limits.stuck_days_in_transit),
    stuck_days_in_delivery: Maybe(limits.stuck_days_in_delivery),
    stuck_days_return_transit: Maybe(limits.stuck_days_return_transit),
    pickup_days: Maybe(limits.pickup_days),
  }),
)
