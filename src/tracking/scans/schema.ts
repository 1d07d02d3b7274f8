import { providerNames } from '../../adapters/carriers/registry.ts'
import { eventNames, phases } from '../../platform/catalogue/catalogue.ts'
import { PagedQuery } from '../../platform/foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../platform/foundation/schema.ts'
import { CarrierNames, SettingStatus } from '../../shops/settings/bundle-schema.ts'
import { recordOf } from '../../shops/settings/integrations.ts'
import { countedScans } from './unmapped-store.ts'

/** Tracked parcels are counted up to this number. */
export const countedParcels = 10_000

const providerHealthStates = ['healthy', 'failing', 'no_requests', 'no_credentials', 'disabled'] as const
const providerFailures = [
  'no_response',
  'unauthorized',
  'plan',
  'rate_limited',
  'server_error',
  'rejected',
  'unreadable',
] as const

const ProviderHealth = Named(
  'ProviderHealth',
  Type.Object({
    state: OneOf(providerHealthStates, {
      description:
        'failing: the latest request failed; no_requests: none was made yet; disabled: it is switched off, or the shop gets no updates of carriers',
      examples: ['healthy'],
    }),
    last_success_at: Nullable(DateTime),
    last_failure_at: Nullable(DateTime),
    last_failure_status: Nullable(
      Type.Integer({ description: 'The HTTP status; 0 if there was no response', examples: [503] }),
    ),
    last_failure_detail: Nullable(
      Type.String({ description: 'Null except for admins', examples: ['The service is not available.'] }),
    ),
    last_failure_reason: Nullable(
      OneOf(providerFailures, {
        description:
          'no_response: no complete response in time; unauthorized: 401 or 403; plan: 402; rate_limited: 429; server_error: 5xx; rejected: another 4xx; unreadable: a response that is not understood',
        examples: ['unauthorized'],
      }),
    ),
    failing_since: Nullable(DateTime),
    paused_until: Nullable(DateTime),
    parcels_followed: Type.Integer({ description: `Exact up to ${countedParcels}`, examples: [120] }),
  }),
)

/** Whether a limit is for so long a time that it can be used up, instead of only setting the pace. */
export const quotaMinSeconds = 3_600

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const ProviderUsage = Named(
  'ProviderUsage',
  Type.Object({
    requests_this_hour: count('Since the beginning of the hour, in UTC', 9),
    requests_today: count('Since midnight, in UTC', 140),
    requests_last_24_hours: count('In the present hour and the 23 before', 180),
    failures_last_24_hours: count('Of these, those that failed', 2),
    limit: Type.Object(
      {
        requests: count('Requests', 250),
        per_seconds: Type.Number({ description: 'In this many seconds', examples: [86_400] }),
        used: Nullable(
          Type.Integer({
            description: 'Requests in the last such period; null if the period is shorter than an hour',
            examples: [180],
          }),
        ),
        min_gap_seconds: Nullable(
          Type.Number({ description: 'The least time between two requests, if that is limited, too', examples: [5] }),
        ),
      },
      { description: 'What the provider documents for an account; all nodes keep to it together' },
    ),
    resets_at: Nullable({
      ...DateTime,
      description: 'When the whole limit can be used again if nothing is requested meanwhile; null: now',
    }),
    rate_limited_until: Nullable({ ...DateTime, description: 'The provider asked us to wait until then' }),
    hours: Type.Array(
      Type.Object({
        hour: { ...DateTime, description: 'Its beginning' },
        requests: count('Requests that ended in it', 9),
        failures: count('Of these, those that failed', 0),
      }),
      { description: 'The last 24 hours, the oldest first' },
    ),
  }),
)
export type ProviderUsage = Static<typeof ProviderUsage>

const settings = { status: SettingStatus, enabled_carriers: CarrierNames, disabled_carriers: CarrierNames }

const ProviderSettings = Named(
  'ProviderSettings',
  Type.Object({
    ...settings,
    has_credentials: Type.Boolean({ description: 'Whether it can be called; always true for the sandbox' }),
    webhook_url: Nullable(
      Type.String({
        description: 'The address that it pushes updates to; null if it does not push',
        examples: ['https://doorstep.example/v1/inbound/river-and-pine/carriers/aftership'],
      }),
    ),
    name: Type.String({ description: 'The display name', examples: ['DHL'] }),
    supported_carriers: Type.Array(Type.String({ examples: ['dhl'] }), {
      description: 'References of the carriers that it can track',
    }),
    tracked_carriers: Type.Array(Type.String({ examples: ['dhl'] }), {
      description: 'Those whose parcels it tracks for the shop now',
    }),
    health: ProviderHealth,
    usage: ProviderUsage,
  }),
)
export type ProviderSettings = Static<typeof ProviderSettings>

export const AllProviderSettings = Named(
  'TrackingProviders',
  Type.Object(recordOf(providerNames, () => ProviderSettings)),
)
export type AllProviderSettings = Static<typeof AllProviderSettings>

const ChosenCarriers = Maybe(
  Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['dhl'] }), { maxItems: 500 }),
)

const ProviderUpdate = Named(
  'TrackingProviderUpdate',
  Type.Object({ status: Maybe(SettingStatus), enabled_carriers: ChosenCarriers, disabled_carriers: ChosenCarriers }),
)
export type ProviderUpdate = Static<typeof ProviderUpdate>

export const AllProviderUpdates = Named(
  'TrackingProvidersUpdate',
  Type.Object(recordOf(providerNames, () => Maybe(ProviderUpdate))),
)
export type AllProviderUpdates = Static<typeof AllProviderUpdates>

const Provider = OneOf(providerNames, { examples: ['dhl'] })
const Code = Type.String({ minLength: 1, maxLength: 200, examples: ['DE_4711'] })
const EventName = OneOf(eventNames, { examples: ['ARRIVED_AT_SORTING_CENTER'] })

export const UnmappedCode = Named(
  'UnmappedCode',
  Type.Object({
    provider: Provider,
    code: Code,
    text: Nullable(Type.String({ description: "The provider's own words", examples: ['Parcel is in the big hall'] })),
    scans: Type.Integer({ description: 'How many scans had it', examples: [12] }),
    first_seen_at: Nullable(DateTime),
    last_seen_at: DateTime,
    event_name: Nullable(EventName),
    shipment_ids: Type.Array(Uuid, { description: 'Some of the shipments, newest first' }),
    parcels: Type.Integer({
      description: `How many parcels had it; at least so many if it has more than ${countedScans} scans`,
      examples: [7],
    }),
    shipments: Type.Array(
      Type.Object({
        shipment_id: Uuid,
        tracking_number: Nullable(Type.String({ examples: ['00340434161094042557'] })),
      }),
      { description: 'The same shipments, with their tracking numbers' },
    ),
    suggestion: Nullable(
      Type.Object(
        {
          event_name: EventName,
          meaning: Type.String({ description: 'The words of the known code', examples: ['Arrived at the hall'] }),
        },
        {
          description:
            'What it may mean, if a known code of any provider is described by nearly the same words; never applied by itself',
        },
      ),
    ),
  }),
)
export type UnmappedCode = Static<typeof UnmappedCode>

export const UnmappedFilter = PagedQuery({
  mapped: Type.Optional(
    Type.Boolean({ default: false, description: 'Those that the shop has mapped, instead of those that it has not' }),
  ),
})

export const MappingPreview = Named(
  'CodeMappingPreview',
  Type.Object({
    scans: Type.Integer({ description: 'Earlier scans that would become this event', examples: [12] }),
    parcels: Type.Integer({ description: 'Parcels that they are of', examples: [7] }),
    is_complete: Type.Boolean({ description: 'False if there are more scans than were looked at', examples: [true] }),
    changes: Type.Array(
      Type.Object({
        from: OneOf(phases, { examples: ['in_transit'] }),
        to: OneOf(phases, { examples: ['in_delivery'] }),
        parcels: Type.Integer({ examples: [3] }),
      }),
      { description: 'How many parcels would be in another phase, the most frequent change first' },
    ),
    may_notify: Type.Boolean({
      description: 'Whether messages may follow: only about scans that are recent enough for their receivers',
      examples: [true],
    }),
  }),
)
export type MappingPreview = Static<typeof MappingPreview>

export const CodeReference = Type.Object({ provider: Provider, code: Code })

export const CodeMapping = Named('CodeMapping', Type.Object({ provider: Provider, code: Code, event_name: EventName }))
