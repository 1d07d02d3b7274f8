import { directions, phases } from '../../catalogue/catalogue.ts'
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
} from '../../foundation/schema.ts'
import { type TriggerParty, triggerParties } from './integrations.ts'
import { SegmentWarnings } from './schema.ts'

/** The path parameter of everything that belongs to one integration. */
export const integrationPath = { integration: OneOf(triggerParties) }

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

const InstanceId = Type.String({ maxLength: 255, examples: ['inx-4711'] })
const RestEndpoint = Type.String({ maxLength: 2_048, examples: ['https://rest.fra-01.braze.eu'] })
const PortalId = Type.String({ maxLength: 255, examples: ['24601337'] })

/** The settings of each integration; the shop system has fewer, and three have a field of their own. */
const shopSystemFields = { status: Status, stale_event_threshold: StaleThreshold }
const mailFields = {
  status: Status,
  trigger_delivered_all_events: AllDelivered,
  stale_event_threshold: StaleThreshold,
  internal_triggers: Type.Array(InternalTrigger),
}
const fields = { ...mailFields, segments_enabled: SegmentsEnabled, warnings: SegmentWarnings }

export const triggerFields = {
  klaviyo: fields,
  brevo: fields,
  braze: { ...fields, rest_endpoint: Nullable(RestEndpoint) },
  hubspot: { ...fields, portal_id: Nullable(PortalId) },
  emarsys: fields,
  inxmail: { ...fields, instance_id: Nullable(InstanceId) },
  shopify: shopSystemFields,
  webhook: fields,
  smtp: mailFields,
}

export const TriggerSettings = Type.Union([
  Named('TriggerSettings', Type.Object(fields)),
  Named('BrazeTriggerSettings', Type.Object(triggerFields.braze)),
  Named('HubspotTriggerSettings', Type.Object(triggerFields.hubspot)),
  Named('InxmailTriggerSettings', Type.Object(triggerFields.inxmail)),
  Named('SmtpTriggerSettings', Type.Object(triggerFields.smtp)),
  Named('ShopifyTriggerSettings', Type.Object(triggerFields.shopify)),
])

const shopSystemChanges = { status: Maybe(Status), stale_event_threshold: Maybe(StaleThreshold) }
const mailChanges = {
  ...shopSystemChanges,
  trigger_delivered_all_events: Maybe(AllDelivered),
  shipment_group_key: Maybe(ShipmentGroupKey),
}
const changes = { ...mailChanges, segments_enabled: Maybe(SegmentsEnabled) }
const PlainUpdate = Named('TriggerSettingsUpdate', Type.Object(changes))
const BrevoUpdate = Named('BrevoTriggerSettingsUpdate', Type.Object({ ...changes, use_proxy: Maybe(UseProxy) }))
const BrazeUpdate = Named('BrazeTriggerSettingsUpdate', Type.Object({ ...changes, rest_endpoint: Maybe(RestEndpoint) }))
const HubspotUpdate = Named('HubspotTriggerSettingsUpdate', Type.Object({ ...changes, portal_id: Maybe(PortalId) }))
const InxmailUpdate = Named('InxmailTriggerSettingsUpdate', Type.Object({ ...changes, instance_id: Maybe(InstanceId) }))
const SmtpUpdate = Named('SmtpTriggerSettingsUpdate', Type.Object(mailChanges))
const ShopifyUpdate = Named('ShopifyTriggerSettingsUpdate', Type.Object(shopSystemChanges))

/** The update of each integration. The API description lists them as alternatives; the path selects one. */
export const triggerUpdates: Record<TriggerParty, TSchema> = {
  klaviyo: PlainUpdate,
  brevo: BrevoUpdate,
  braze: BrazeUpdate,
  hubspot: HubspotUpdate,
  emarsys: PlainUpdate,
  inxmail: InxmailUpdate,
  shopify: ShopifyUpdate,
  webhook: PlainUpdate,
  smtp: SmtpUpdate,
}

export const TriggerSettingsUpdate = Type.Union([
  PlainUpdate,
  BrevoUpdate,
  BrazeUpdate,
  HubspotUpdate,
  InxmailUpdate,
  SmtpUpdate,
  ShopifyUpdate,
])
