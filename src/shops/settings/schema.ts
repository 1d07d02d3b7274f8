import { segmentSources } from '../../adapters/marketing/registry.ts'
import { WarningList } from '../../platform/foundation/lenient.ts'
import { Maybe, Named, Nullable, type Static, Type } from '../../platform/foundation/schema.ts'
import { integrations, laterIntegrations, laterSegmentSources, listedIntegrations, recordOf } from './integrations.ts'
import { BrandPalette } from './palette.ts'

/** Only if segments are switched on that cannot be fetched. */
export const SegmentWarnings = Type.Optional({
  ...WarningList,
  examples: [[{ loc: ['braze'], msg: 'has no effect: the API of braze does not return the segments of a customer' }]],
})

const ShipmentUpdates = { description: 'Retrieve shipment updates from carriers' }
const ProductRecommendations = { description: 'Show dynamic campaigns' }

export const CarrierSettings = Named(
  'CarrierSettings',
  Type.Object({ shipment_updates: Type.Boolean(ShipmentUpdates) }),
)

export const CarrierSettingsUpdate = Named(
  'CarrierSettingsUpdate',
  Type.Object({ shipment_updates: Maybe(Type.Boolean(ShipmentUpdates)) }),
)

/** Listed only once it was set. */
const LaterSwitch = Type.Boolean({ description: 'Only once it was set' })
const MailSwitch = Type.Boolean({ description: 'E-mail of our own; only once it was set' })

export const TriggerSwitches = Named(
  'TriggerSwitches',
  Type.Object({
    ...recordOf(listedIntegrations, () => Type.Boolean()),
    ...recordOf(laterIntegrations, () => Type.Optional(LaterSwitch)),
    smtp: Type.Optional(MailSwitch),
  }),
)

export const TriggerSwitchesUpdate = Named(
  'TriggerSwitchesUpdate',
  Type.Object({ ...recordOf(integrations, () => Maybe(Type.Boolean())), smtp: Maybe(MailSwitch) }),
)

const segmentSwitches = {
  ...recordOf(listedIntegrations, () => Type.Boolean()),
  ...recordOf(laterSegmentSources, () => Type.Optional(LaterSwitch)),
}

export const SegmentSwitches = Named('SegmentSwitches', Type.Object(segmentSwitches))
export type SegmentSwitches = Static<typeof SegmentSwitches>

export const SegmentSwitchesReply = Named(
  'SegmentSwitchesReply',
  Type.Object({ ...segmentSwitches, warnings: SegmentWarnings }),
)

export const SegmentSwitchesUpdate = Named(
  'SegmentSwitchesUpdate',
  Type.Object(recordOf(segmentSources, () => Maybe(Type.Boolean()))),
)

export const CampaignSettings = Named(
  'CampaignSettings',
  Type.Object({ product_recommendations_enabled: Nullable(Type.Boolean(ProductRecommendations)) }),
)

export const CampaignSettingsUpdate = Named(
  'CampaignSettingsUpdate',
  Type.Object({ product_recommendations_enabled: Maybe(Type.Boolean(ProductRecommendations)) }),
)

export const ShopSettings = Named(
  'ShopSettings',
  Type.Object({
    carriers: CarrierSettings,
    triggers: TriggerSwitches,
    segments: SegmentSwitches,
    brand_palette: BrandPalette,
    warnings: SegmentWarnings,
  }),
)
