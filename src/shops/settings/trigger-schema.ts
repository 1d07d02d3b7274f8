import { mailReceiver } from '../../delivery/queue/delivery.ts'
import { directions, phases } from '../../platform/catalogue/catalogue.ts'
import {
  DateTime,
  Maybe,
  Named,
  Nullable,
  OneOf,
  type Static,
  type TSchema,
  Type,
  Uuid,
} from '../../platform/foundation/schema.ts'
import { descriptionOf, isShopSystem, recordOf, type TriggerReceiver, triggerReceivers } from './integrations.ts'
import { SegmentWarnings } from './schema.ts'

/** The path parameter of everything that belongs to one integration. */
export const integrationPath = { integration: OneOf(triggerReceivers) }

/** Ten years: far more than any parcel takes, and well within an integer column. */
const hours = { minimum: 0, maximum: 87_600 }

const Phases = Type.Array(OneOf(phases), { maxItems: 100 })
const EventKeys = Type.Array(Type.String({ minLength: 1, maxLength: 255, examples: ['PARCEL_SCANNED'] }), {
  maxItems: 500,
})
const Direction = OneOf(directions)
const TriggerName = Type.String({ minLength: 1, maxLength: 255, examples: ['Three days without a scan'] })
const Operator = OneOf(['AND', 'OR'], { description: 'How the event keys are combined' })
const ThresholdType = OneOf(['latest_event_time', 'created_at'])
const ThresholdValue = Type.Integer({ ...hours, description: 'Hours to wait before triggering', examples: [72] })

export const InternalTrigger = Named(
  'InternalTrigger',
  Type.Object({
    id: Uuid,
    name: TriggerName,
    phase_in: Phases,
    phase_not_in: Phases,
    event_key_in: EventKeys,
    event_key_not_in: EventKeys,
    operator: Operator,
    time_threshold_type: ThresholdType,
    time_threshold_value: ThresholdValue,
    shipment_direction: Direction,
  }),
)
export type InternalTrigger = Static<typeof InternalTrigger>

const narrowing = {
  phase_in: Maybe(Phases),
  phase_not_in: Maybe(Phases),
  event_key_in: Maybe(EventKeys),
  event_key_not_in: Maybe(EventKeys),
  shipment_direction: Maybe(Direction),
}

export const InternalTriggerCreation = Named(
  'InternalTriggerCreation',
  Type.Object({
    name: TriggerName,
    operator: Operator,
    time_threshold_type: ThresholdType,
    time_threshold_value: ThresholdValue,
    ...narrowing,
    apply_to_existing: Maybe(
      Type.Boolean({
        default: false,
        description: 'Also fires for unfinished shipments that had passed the threshold before the trigger was created',
      }),
    ),
  }),
)

export const InternalTriggerUpdate = Named(
  'InternalTriggerUpdate',
  Type.Object({
    name: Type.Optional(TriggerName),
    operator: Type.Optional(Operator),
    time_threshold_type: Type.Optional(ThresholdType),
    time_threshold_value: Type.Optional(ThresholdValue),
    ...narrowing,
  }),
)

export const InternalTriggerDraft = Named(
  'InternalTriggerDraft',
  Type.Object({
    trigger_id: Maybe({
      ...Uuid,
      description: 'The saved trigger that it changes: parcels that this one has fired for are left out',
    }),
    operator: Operator,
    time_threshold_type: ThresholdType,
    time_threshold_value: ThresholdValue,
    ...narrowing,
  }),
)

/** Parcels are counted up to this number, and the first of them listed. */
export const previewCountLimit = 1_000
export const previewListLimit = 50

export const InternalTriggerPreview = Named(
  'InternalTriggerPreview',
  Type.Object({
    count: Type.Integer({
      description: `Parcels that it would fire for now; ${previewCountLimit} means that many or more`,
      examples: [14],
    }),
    is_complete: Type.Boolean({
      description: 'False: the shop has so many parcels that only those with the newest events were considered',
    }),
    shipments: Type.Array(
      Type.Object({
        shipment_id: Uuid,
        order_id: Uuid,
        order_number: Type.String({ examples: ['A-1001'] }),
        tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
        carrier_reference: Nullable(Type.String({ examples: ['dhl'] })),
        phase: OneOf(phases, { examples: ['in_transit'] }),
        event_name: Type.String({ description: 'Its current event', examples: ['ARRIVED_AT_SORTING_CENTER'] }),
        since: { ...DateTime, description: 'The time that the threshold counts from' },
        hours: Type.Integer({ description: 'Whole hours since then', examples: [76] }),
      }),
      { description: `The first ${previewListLimit}: those that passed the threshold last` },
    ),
  }),
)
export type InternalTriggerPreview = Static<typeof InternalTriggerPreview>

const Status = Type.Boolean({ description: 'Whether events are sent to this integration' })
const AllDelivered = Type.Boolean({ description: 'Whether every event of a delivered parcel is sent' })
const StaleThreshold = Type.Integer({ ...hours, description: 'Hours after which an event is too old to be sent' })
const SegmentsEnabled = Type.Boolean({ description: 'Whether segments are fetched' })

export const ShipmentGroupKey = OneOf(['shipment_id', 'tracking_number', 'external_shipment_id'], {
  description: 'The field that "once per shipment" refers to: shipments with the same value count as one',
})
const UseProxy = Type.Boolean({ description: 'Whether calls go through WEBHOOK_PROXY_URL', default: false })

/** The fields of every integration, except for the shop system and e-mail of our own, which have fewer. */
const shopSystemFields = { status: Status, stale_event_threshold: StaleThreshold }
const mailFields = {
  status: Status,
  trigger_delivered_all_events: AllDelivered,
  stale_event_threshold: StaleThreshold,
  internal_triggers: Type.Array(InternalTrigger),
}
const fields = { ...mailFields, segments_enabled: SegmentsEnabled, warnings: SegmentWarnings }

/** The settings of each integration: one that has a setting of its own has it too. */
export const triggerFields: Record<TriggerReceiver, Record<string, TSchema>> = recordOf(
  triggerReceivers,
  (receiver) => {
    if (receiver === mailReceiver) return mailFields
    const { kind, setting } = descriptionOf(receiver) ?? {}
    if (kind === 'shop_system') return shopSystemFields
    return setting ? { ...fields, [setting.name]: Nullable(setting.schema) } : fields
  },
)

const shopSystems = triggerReceivers.filter(isShopSystem)
const withSetting = triggerReceivers.filter((receiver) => descriptionOf(receiver)?.setting !== undefined)

/** The settings as the union of all their shapes has them. */
interface AnyTriggerSettings {
  status: boolean
  stale_event_threshold: number
  trigger_delivered_all_events?: boolean
  internal_triggers?: InternalTrigger[]
  segments_enabled?: boolean
  warnings?: Static<typeof SegmentWarnings>
  [setting: string]: unknown
}

export const TriggerSettings = Type.Unsafe<AnyTriggerSettings>(
  Type.Union([
    Named('TriggerSettings', Type.Object(fields)),
    ...[...withSetting, mailReceiver, ...shopSystems].map((receiver) =>
      Named(`${titleOf(receiver)}TriggerSettings`, Type.Object(triggerFields[receiver])),
    ),
  ]),
)

const shopSystemChanges = { status: Maybe(Status), stale_event_threshold: Maybe(StaleThreshold) }
const mailChanges = {
  ...shopSystemChanges,
  trigger_delivered_all_events: Maybe(AllDelivered),
  shipment_group_key: Maybe(ShipmentGroupKey),
}
const changes = { ...mailChanges, segments_enabled: Maybe(SegmentsEnabled) }
const PlainUpdate = Named('TriggerSettingsUpdate', Type.Object(changes))

/** The update of each integration. The API description lists them as alternatives; the path selects one. */
export const triggerUpdates: Record<TriggerReceiver, TSchema> = recordOf(triggerReceivers, (receiver) => {
  const named = (update: Record<string, TSchema>) =>
    Named(`${titleOf(receiver)}TriggerSettingsUpdate`, Type.Object(update))
  if (receiver === mailReceiver) return named(mailChanges)
  const { kind, setting, usesProxy } = descriptionOf(receiver) ?? {}
  if (kind === 'shop_system') return named(shopSystemChanges)
  if (!setting && !usesProxy) return PlainUpdate
  return named({
    ...changes,
    ...(usesProxy ? { use_proxy: Maybe(UseProxy) } : {}),
    ...(setting ? { [setting.name]: Maybe(setting.schema) } : {}),
  })
})

/** Every field that any integration has. */
export interface AnyTriggerUpdate {
  status?: boolean | null
  trigger_delivered_all_events?: boolean | null
  stale_event_threshold?: number | null
  segments_enabled?: boolean | null
  use_proxy?: boolean | null
  shipment_group_key?: Static<typeof ShipmentGroupKey> | null
  [setting: string]: unknown
}

const special = triggerReceivers.filter((receiver) => receiver !== mailReceiver && !isShopSystem(receiver))
export const TriggerSettingsUpdate = Type.Unsafe<AnyTriggerUpdate>(
  Type.Union([
    PlainUpdate,
    ...special.map((receiver) => triggerUpdates[receiver]).filter((update) => update !== PlainUpdate),
    triggerUpdates[mailReceiver],
    ...shopSystems.map((receiver) => triggerUpdates[receiver]),
  ]),
)

/** The beginning of the names of its schemas. */
function titleOf(receiver: TriggerReceiver): string {
  return receiver.charAt(0).toUpperCase() + receiver.slice(1)
}
