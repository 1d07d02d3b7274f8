import { describedProviders } from '../../adapters/carriers/registry.ts'
import { CarrierProviders, type SettingsBundle } from './bundle-schema.ts'
import {
  descriptionOf,
  laterReceivers,
  notifiedReceivers,
  type OfTriggerReceivers,
  recordOf,
  segmentsOf,
  type TriggerReceiver,
} from './integrations.ts'
import { completePalette } from './palette.ts'
import type { SettingsRecord, TriggerRecord } from './store.ts'
import { toTriggerSettings } from './trigger-rules.ts'
import type { InternalTrigger } from './trigger-schema.ts'

/** All settings of a shop, as the bundle shows them. */
export function toBundle(
  settings: SettingsRecord,
  triggers: OfTriggerReceivers<TriggerRecord>,
  internalTriggers: Record<TriggerReceiver, InternalTrigger[]>,
  isProduction: boolean,
): SettingsBundle {
  const entryOf = (receiver: TriggerReceiver, record: TriggerRecord) => ({
    ...toTriggerSettings(receiver, record, internalTriggers[receiver]),
    status: record.status ? ('live' as const) : ('disabled' as const),
    shipment_group_key: record.extra.shipment_group_key ?? ('shipment_id' as const),
    ...(descriptionOf(receiver)?.usesProxy ? { use_proxy: record.extra.use_proxy ?? false } : {}),
  })
  const entries = recordOf(notifiedReceivers, (receiver) => entryOf(receiver, triggers[receiver]))
  const later = laterReceivers.flatMap((receiver) => {
    const record = triggers[receiver]
    return record ? [[receiver, entryOf(receiver, record)]] : []
  })
  const data = { ...entries, ...Object.fromEntries(later) }
  return {
    // Each entry has the fields of its own integration, which a record of all of them cannot say.
    triggers: { version: 1, data: data as SettingsBundle['triggers']['data'] },
    carriers: { version: 1, data: withDefaults(settings.carriers, isProduction) },
    mappings: { version: 1, data: settings.mappings },
    segments: segmentsOf(triggers),
    campaigns: { product_recommendations_enabled: settings.productRecommendations },
    brand_palette: completePalette(settings.palette),
  }
}

/** The carrier settings with the defaults for what a shop has not set. */
export function withDefaults(carriers: Partial<CarrierProviders>, isProduction: boolean): CarrierProviders {
  return { ...(isProduction ? productionDefaults : trialDefaults), ...carriers }
}

const productionDefaults = defaultProviders([])
/** Sandbox parcels are for trials only. */
const trialDefaults = defaultProviders(
  describedProviders.filter(({ kind }) => kind === 'sandbox').map(({ name }) => `${name}_status`),
)

/** Every provider is off, for no carrier in particular, except for those with one of these names of a status. */
function defaultProviders(live: string[]): CarrierProviders {
  const fields = Object.keys(CarrierProviders.properties).map((name) => {
    if (name.endsWith('_status')) return [name, live.includes(name) ? 'live' : 'disabled']
    return [name, name.endsWith('_carriers') ? [] : false]
  })
  return Object.fromEntries(fields) as CarrierProviders // every field, by the kind that its name says
}
