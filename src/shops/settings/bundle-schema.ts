import { type ProviderName, providerNames } from '../../adapters/carriers/registry.ts'
import { shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import { Named, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'
import { descriptionOf, laterReceivers, notifiedReceivers, recordOf, type TriggerReceiver } from './integrations.ts'
import { BrandPalette } from './palette.ts'
import { CampaignSettings, SegmentSwitches } from './schema.ts'
import { ShipmentGroupKey, triggerFields } from './trigger-schema.ts'

const Version = Type.Literal(1, { default: 1 })

const MappingRule = Named(
  'MappingRule',
  Type.Object({
    source: Type.Object({
      key: Type.String({ minLength: 1, maxLength: 255, examples: ['Marketplace order'] }),
      type: Type.String({ minLength: 1, maxLength: 255, examples: ['note_attribute'] }),
    }),
    target: Type.String({ minLength: 1, maxLength: 255, examples: ['marketplace_order_number'] }),
  }),
)

/** The sources of a shop system that rules can map. */
export const sourceKinds = shopSystemNames.map((name) => `${name}.order` as const)

const MappingRules = Type.Optional(Type.Array(MappingRule, { maxItems: 200 }))
const MappingData = Named('MappingsV1', Type.Object(recordOf(sourceKinds, () => MappingRules)))
export type MappingData = Static<typeof MappingData>

export const Mappings = Named('Mappings', Type.Object({ version: Version, data: MappingData }))
export const MappingsReplacement = Named(
  'MappingsReplacement',
  Type.Object({ version: Type.Optional(Version), data: MappingData }),
)

export const SettingStatus = OneOf(['disabled', 'live', 'testing'])
export const CarrierNames = Type.Array(Type.String({ examples: ['dhl'] }))

type FieldsOf<Name extends string> = Record<`${Name}_status`, typeof SettingStatus> &
  Record<`${Name}_enabled_carriers` | `${Name}_disabled_carriers`, typeof CarrierNames>
type OverrideOf<Name extends string> = Record<
  `override_${Name}_tracking_config_for_segments`,
  ReturnType<typeof Type.Boolean>
>

function fieldsOf<Name extends string>(name: Name): FieldsOf<Name> {
  const fields = {
    [`${name}_status`]: SettingStatus,
    [`${name}_enabled_carriers`]: CarrierNames,
    [`${name}_disabled_carriers`]: CarrierNames,
  }
  return fields as FieldsOf<Name> // the keys of its type
}

/** The first version of the API has four fields for each of three providers, of which we have one. */
const reserved = ['pp', 'aftership', 'hc'] as const
const others = providerNames.filter((name) => !reserved.some((known) => known === name))

const carrierFields = [
  ...reserved.map((name) => ({
    ...fieldsOf(name),
    [`override_${name}_tracking_config_for_segments`]: Type.Boolean(),
  })),
  ...others.map(fieldsOf),
]

/** The carrier settings of each tracking provider. */
export const CarrierProviders = Named(
  'CarrierProviders',
  // The fields of the reserved ones, and of each provider.
  Type.Object(
    Object.assign({}, ...carrierFields) as FieldsOf<(typeof reserved)[number] | ProviderName> &
      OverrideOf<(typeof reserved)[number]>,
  ),
)
export type CarrierProviders = Static<typeof CarrierProviders>

/** In addition to an integration's own fields; here its status is a word. */
const bundled = {
  status: SettingStatus,
  shipment_group_key: ShipmentGroupKey,
}

function bundledFields(receiver: TriggerReceiver) {
  const fields = { ...triggerFields[receiver], ...bundled }
  if (!descriptionOf(receiver)?.usesProxy) return Type.Object(fields)
  return Type.Object({ ...fields, use_proxy: Type.Boolean({ default: false }) })
}

const BundledTriggers = Type.Object({
  ...recordOf(notifiedReceivers, bundledFields),
  ...recordOf(laterReceivers, (receiver) => Type.Optional(bundledFields(receiver))),
})

export const SettingsBundle = Named(
  'SettingsBundle',
  Type.Object({
    triggers: Type.Object({ version: Version, data: BundledTriggers }),
    carriers: Type.Object({ version: Version, data: CarrierProviders }),
    mappings: Mappings,
    segments: SegmentSwitches,
    campaigns: CampaignSettings,
    brand_palette: BrandPalette,
  }),
)
export type SettingsBundle = Static<typeof SettingsBundle>
