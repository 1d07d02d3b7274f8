import {
  DateTime,
  Maybe,
  Named,
  Nullable,
  OneOf,
  SeveralOf,
  type Static,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { Day, periodFields } from '../analytics/schema.ts'

const dayUnits = ['business', 'calendar'] as const
const startPoints = ['placed', 'fulfilled'] as const
export const groupings = ['carrier', 'country', 'service', 'week'] as const
export type Grouping = (typeof groupings)[number]

const maxTargetDays = 60
const targetFields = {
  unit: OneOf(dayUnits, { description: 'Which days count', examples: ['business'] }),
  since: OneOf(startPoints, {
    description: 'placed: since the customer ordered; fulfilled: since the parcel was sent',
    examples: ['placed'],
  }),
}

const TargetDays = Type.Integer({ minimum: 1, maximum: maxTargetDays, examples: [3] })

export const DeliveryTarget = Named(
  'DeliveryTarget',
  Type.Object({ days: Nullable({ ...TargetDays, description: 'Null: there is no target' }), ...targetFields }),
)
export type DeliveryTarget = Static<typeof DeliveryTarget>

export const DeliveryTargetUpdate = Named(
  'DeliveryTargetUpdate',
  Type.Object({
    days: Maybe({ ...TargetDays, description: 'Null removes the target' }),
    unit: Type.Optional(targetFields.unit),
    since: Type.Optional(targetFields.since),
  }),
)

/** A target that is set. */
const SetTarget = Type.Object({ days: TargetDays, ...targetFields })
export type SetTarget = Static<typeof SetTarget>

const none = '`none`: those without one'
const filterFields = {
  ...periodFields,
  carrier: Type.Optional(Type.String({ maxLength: 100, description: `A carrier; ${none}`, examples: ['dhl'] })),
  country: Type.Optional(
    Type.String({
      pattern: '^(?:[A-Za-z]{2}|none)$',
      description: `The country of destination; ${none}`,
      examples: ['DE'],
    }),
  ),
  service: Type.Optional(
    Type.String({ maxLength: 255, description: `A service, as parcels have it; ${none}`, examples: ['DHL Paket'] }),
  ),
}
export type DeliveryFilter = Static<typeof DeliveryFilter>
const DeliveryFilter = Type.Object(filterFields)

export const DeliveryTimesQuery = Type.Object({
  ...filterFields,
  group_by: Type.Optional({ ...SeveralOf(groupings), default: 'carrier' }),
})

export const minSample = 10
const rate = (description: string) =>
  Nullable(Type.Number({ description: `${description}; null if these are fewer than ${minSample}`, examples: [0.91] }))
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const Days = Nullable(
  Type.Object({
    median: Type.Number({ examples: [2] }),
    p90: Type.Number({ description: '90 percent took this long or less', examples: [4] }),
  }),
)

const Times = Named(
  'DeliveryDays',
  Type.Object({
    measured: count('Parcels whose start is known and before their delivery', 180),
    business: Days,
    calendar: Days,
  }),
)
export type Times = Static<typeof Times>

const Row = Named(
  'DeliveryTimesRow',
  Type.Object({
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    country: Nullable(Type.String({ examples: ['DE'] })),
    service: Nullable(Type.String({ examples: ['DHL Paket'] })),
    week: Nullable({ ...Day, description: "The week of delivery: its Monday's date", examples: ['2026-11-02'] }),
    delivered: count('Parcels to customers that were delivered in the period', 184),
    since_placed: { ...Times, description: 'Days from order to delivery' },
    since_fulfilled: { ...Times, description: 'Days from when the parcel was sent to delivery' },
    target: Nullable(
      Type.Object({
        measured: count('Parcels that the target can be applied to', 180),
        met: count('Of these, the ones that met it', 164),
        rate: rate('met / measured'),
      }),
    ),
    expected: count('Parcels with an expected delivery: the time that the customer was last shown', 170),
    on_time: count('Of these, the ones delivered by then', 155),
    on_time_rate: rate('on_time / expected'),
    predicted: count('Parcels with a window that was predicted when they were sent', 150),
    held: count('Of these, the ones delivered within it', 131),
    early: count('Before it', 6),
    late: count('After it', 13),
    held_rate: rate('held / predicted'),
  }),
)
export type Row = Static<typeof Row>

const AsOf = { ...DateTime, description: 'Every change up to this moment is counted' }
const Target = Nullable({ ...SetTarget, description: 'What the shop has set' })

export const maxRows = 1_000

export const DeliveryTimes = Named(
  'DeliveryTimes',
  Type.Object({
    from: Day,
    to: Day,
    as_of: AsOf,
    target: Target,
    total: Row,
    rows: Type.Array(Row, {
      description:
        'By what `group_by` names, most parcels first; weeks alone by time. Fields it does not name are null',
    }),
    weeks: Type.Array(Row, { description: 'All of it by week, including weeks without deliveries' }),
    is_truncated: Type.Boolean({
      description: `Whether there are more than ${maxRows.toLocaleString('en')} rows, which are left out`,
      examples: [false],
    }),
  }),
)
export type DeliveryTimes = Static<typeof DeliveryTimes>

export const outcomes = ['all', 'on_target', 'over_target', 'on_time', 'late', 'held', 'early', 'window_late'] as const
export type DeliveryOutcome = (typeof outcomes)[number]

export const DeliveredParcelsQuery = Type.Object({
  ...filterFields,
  week: Type.Optional({ ...Day, description: 'Only deliveries of the week that begins on this Monday' }),
  outcome: Type.Optional(
    OneOf(outcomes, {
      default: 'all',
      description:
        'on_target, over_target: by the target of the shop; on_time, late: by the expected delivery; held, early, window_late: by the predicted window',
    }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
  cursor: Type.Optional(
    Type.String({ maxLength: 60, description: 'The `next_cursor` of the page before', examples: [''] }),
  ),
})
export type DeliveredParcelsQuery = Static<typeof DeliveredParcelsQuery>

const DaysTaken = Nullable(
  Type.Object({ business: Type.Integer({ examples: [2] }), calendar: Type.Integer({ examples: [4] }) }),
)
const judged = (description: string) => Nullable(Type.Boolean({ description, examples: [true] }))

const DeliveredParcel = Named(
  'DeliveredParcel',
  Type.Object({
    shipment_id: Uuid,
    order_id: Uuid,
    order_number: Type.String({ examples: ['1001'] }),
    tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
    carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
    carrier_name: Nullable(Type.String({ examples: ['DHL'] })),
    country: Nullable(Type.String({ examples: ['DE'] })),
    service: Nullable(Type.String({ examples: ['DHL Paket'] })),
    placed_at: { ...DateTime, description: 'When the customer ordered' },
    fulfilled_at: Nullable({ ...DateTime, description: 'When the parcel was sent' }),
    delivered_at: DateTime,
    since_placed: DaysTaken,
    since_fulfilled: DaysTaken,
    expected_by: Nullable(DateTime),
    predicted_from: Nullable(DateTime),
    predicted_to: Nullable(DateTime),
    on_target: judged('Whether it met the target; null if there is none, or if it cannot be applied'),
    on_time: judged('Whether it was delivered by the expected time; null if there was none'),
    held: judged('Whether it was delivered within the predicted window; null if there was none'),
    early: judged('Before it'),
    window_late: judged('After it'),
  }),
)
export type DeliveredParcel = Static<typeof DeliveredParcel>

export const DeliveredParcels = Named(
  'DeliveredParcels',
  Type.Object({
    as_of: AsOf,
    target: Target,
    total: count('How many there are: the number in the table', 13),
    parcels: Type.Array(DeliveredParcel),
    next_cursor: Nullable(
      Type.String({
        description:
          'Continues the list; null at its end. A page can have few parcels or none and still be continued: a request examines a limited number of deliveries',
        examples: ['1763283600000000-0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'],
      }),
    ),
  }),
)
