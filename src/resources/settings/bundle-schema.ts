import { Named, OneOf, type Static, Type } from '../../foundation/schema.ts'
import { notifiedParties, recordOf } from './integrations.ts'
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
export const sourceKinds = ['shopify.order', 'shopware.order', 'woocommerce.order'] as const

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

/** The carrier settings of each tracking provider. */
const CarrierProviders = Named(
  'CarrierProviders',
  Type.Object({
    pp_status: SettingStatus,
    pp_enabled_carriers: CarrierNames,
    pp_disabled_carriers: CarrierNames,
    override_pp_tracking_config_for_segments: Type.Boolean(),
    aftership_status: SettingStatus,
    aftership_enabled_carriers: CarrierNames,
    aftership_disabled_carriers: CarrierNames,
    override_aftership_tracking_config_for_segments: Type.Boolean(),
    hc_status: SettingStatus,
    hc_enabled_carriers: CarrierNames,
    hc_disabled_carriers: CarrierNames,
    override_hc_tracking_config_for_segments: Type.Boolean(),
    dhl_status: SettingStatus,
    dhl_enabled_carriers: CarrierNames,
    dhl_disabled_carriers: CarrierNames,
    ups_status: SettingStatus,
    ups_enabled_carriers: CarrierNames,
    ups_disabled_carriers: CarrierNames,
    fedex_status: SettingStatus,
    fedex_enabled_carriers: CarrierNames,
    fedex_disabled_carriers: CarrierNames,
    easypost_status: SettingStatus,
    easypost_enabled_carriers: CarrierNames,
    easypost_disabled_carriers: CarrierNames,
    sandbox_status: SettingStatus,
    sandbox_enabled_carriers: CarrierNames,
    sandbox_disabled_carriers: CarrierNames,
  }),
)
export type CarrierProviders = Static<typeof CarrierProviders>

/** In addition to an integration's own fields; here its status is a word. */
const bundled = {
  status: SettingStatus,
  shipment_group_key: ShipmentGroupKey,
}

const BundledTriggers = Type.Object({
  ...recordOf(notifiedParties, (party) => Type.Object({ ...triggerFields[party], ...bundled })),
  brevo: Type.Object({ ...triggerFields.brevo, ...bundled, use_proxy: Type.Boolean({ default: false }) }),
  smtp: Type.Optional(Type.Object({ ...triggerFields.smtp, ...bundled })),
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
