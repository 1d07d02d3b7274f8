import { providerNames } from '../../carriers/provider.ts'
import { eventNames } from '../../catalogue/catalogue.ts'
import { PagedQuery } from '../../foundation/operation.ts'
import { DateTime, Maybe, Named, Nullable, OneOf, type Static, Type, Uuid } from '../../foundation/schema.ts'
import { CarrierNames, SettingStatus } from '../settings/bundle-schema.ts'
import { recordOf } from '../settings/integrations.ts'

/** Tracked parcels are counted up to this number. */
export const countedParcels = 10_000

const ProviderHealth = Named(
  'ProviderHealth',
  Type.Object({
    last_success_at: Nullable(DateTime),
    last_failure_at: Nullable(DateTime),
    last_failure_status: Nullable(
      Type.Integer({ description: 'The HTTP status; 0 if there was no response', examples: [503] }),
    ),
    last_failure_detail: Nullable(
      Type.String({ description: 'Null except for admins', examples: ['The service is not available.'] }),
    ),
    failing_since: Nullable(DateTime),
    paused_until: Nullable(DateTime),
    parcels_followed: Type.Integer({ description: `Exact up to ${countedParcels}`, examples: [120] }),
  }),
)

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
    health: ProviderHealth,
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
  }),
)
export type UnmappedCode = Static<typeof UnmappedCode>

export const UnmappedFilter = PagedQuery({
  mapped: Type.Optional(
    Type.Boolean({ default: false, description: 'Those that the shop has mapped, instead of those that it has not' }),
  ),
})

export const CodeMapping = Named('CodeMapping', Type.Object({ provider: Provider, code: Code, event_name: EventName }))
