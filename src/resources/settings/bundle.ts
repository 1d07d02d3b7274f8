import type { CarrierProviders, SettingsBundle } from './bundle-schema.ts'
import { integrations, notifiedParties, type OfTriggerParties, recordOf, type TriggerParty } from './integrations.ts'
import { completePalette } from './palette.ts'
import type { SettingsRecord, TriggerRecord } from './store.ts'
import { toTriggerSettings } from './trigger-rules.ts'
import type { InternalTrigger } from './trigger-schema.ts'

/** All settings of a shop, as the bundle shows them. */
export function toBundle(
  settings: SettingsRecord,
  triggers: OfTriggerParties<TriggerRecord>,
  internalTriggers: Record<TriggerParty, InternalTrigger[]>,
  isProduction: boolean,
): SettingsBundle {
  const entryOf = (party: TriggerParty, record: TriggerRecord) => ({
    ...toTriggerSettings(party, record, internalTriggers[party]),
    status: record.status ? ('live' as const) : ('disabled' as const),
    shipment_group_key: record.extra.shipment_group_key ?? ('shipment_id' as const),
  })
  const entries = recordOf(notifiedParties, (party) => entryOf(party, triggers[party]))
  const data = {
    ...entries,
    brevo: { ...entries.brevo, use_proxy: triggers.brevo.extra.use_proxy ?? false },
    ...(triggers.smtp ? { smtp: entryOf('smtp', triggers.smtp) } : {}),
  }
  return {
    // Each entry has the fields of its own integration, which a record of all of them cannot say.
    triggers: { version: 1, data: data as SettingsBundle['triggers']['data'] },
    carriers: { version: 1, data: withDefaults(settings.carriers, isProduction) },
    mappings: { version: 1, data: settings.mappings },
    segments: recordOf(integrations, (integration) => triggers[integration].segments_enabled),
    campaigns: { product_recommendations_enabled: settings.productRecommendations },
    brand_palette: completePalette(settings.palette),
  }
}

/** The carrier settings with the defaults for what a shop has not set. */
export function withDefaults(carriers: Partial<CarrierProviders>, isProduction: boolean): CarrierProviders {
  // Sandbox parcels are for trials only.
  return { ...defaultProviders, sandbox_status: isProduction ? 'disabled' : 'live', ...carriers }
}

const defaultProviders: CarrierProviders = {
  pp_status: 'disabled',
  pp_enabled_carriers: [],
  pp_disabled_carriers: [],
  override_pp_tracking_config_for_segments: false,
  aftership_status: 'disabled',
  aftership_enabled_carriers: [],
  aftership_disabled_carriers: [],
  override_aftership_tracking_config_for_segments: false,
  hc_status: 'disabled',
  hc_enabled_carriers: [],
  hc_disabled_carriers: [],
  override_hc_tracking_config_for_segments: false,
  dhl_status: 'disabled',
  dhl_enabled_carriers: [],
  dhl_disabled_carriers: [],
  ups_status: 'disabled',
  ups_enabled_carriers: [],
  ups_disabled_carriers: [],
  fedex_status: 'disabled',
  fedex_enabled_carriers: [],
  fedex_disabled_carriers: [],
  easypost_status: 'disabled',
  easypost_enabled_carriers: [],
  easypost_disabled_carriers: [],
  sandbox_status: 'live',
  sandbox_enabled_carriers: [],
  sandbox_disabled_carriers: [],
}
