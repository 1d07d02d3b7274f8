import type { ShopContext } from '../../platform/foundation/context.ts'
import { updatePromiseSettings } from '../../promises/operations.ts'
import type { PromiseSettingsUpdate } from '../../promises/schema.ts'
import { perform } from './perform.ts'

const hours = { '1': '14:00', '2': '14:00', '3': '14:00', '4': '14:00', '5': '14:00', '6': '11:00' }
const leipzig = { name: 'Leipzig', country_code: 'DE', timezone: 'Europe/Berlin' }
const hamburg = { name: 'Hamburg', country_code: 'DE', timezone: 'Europe/Berlin' }

/** Each with the carrier that the demo's parcels to these countries have. */
const methods = [
  method('Standard', 'dhl', ['DE']),
  method('Hermes', 'hermes', ['DE']),
  method('GLS', 'gls', ['DE']),
  method('DPD', 'dpd', ['DE']),
  method('Austria', 'austrian-post', ['AT']),
  method('Belgium', 'bpost', ['BE']),
  method('Switzerland', 'swiss-post', ['CH']),
  method('France', 'colissimo', ['FR']),
  method('United Kingdom', 'royal-mail', ['GB']),
  method('Netherlands', 'postnl', ['NL']),
  method('Poland', 'inpost', ['PL']),
  method('Sweden', 'postnord', ['SE']),
]

const settings: PromiseSettingsUpdate = {
  percentile: 0.9,
  at_risk_below: 0.5,
  warehouses: [
    { ...leipzig, cut_offs: hours, handling_days: 0, closed_days: [] },
    { ...hamburg, cut_offs: { '1': '11:00', '3': '11:00', '5': '11:00' }, handling_days: 0, closed_days: [] },
  ],
  // Names are embroidered in Leipzig.
  shipping_classes: [{ name: 'embroidered', handling_days: 2, products: ['heath', 'juniper'] }],
  methods: [
    ...methods,
    // A courier of the shop's own: no parcels are recorded for it.
    { ...method('Courier', null, ['DE']), warehouse: 'Hamburg', table_days: { min: 1, max: 1 } },
  ],
}

/** Sets what customers are promised: from the demo's own parcels, and for the courier from its table. */
export async function promiseDays(context: ShopContext): Promise<void> {
  await perform(context, updatePromiseSettings, settings)
}

function method(name: string, carrier: string | null, countries: string[]) {
  return {
    name,
    warehouse: 'Leipzig',
    carrier_reference: carrier,
    service: null,
    countries,
    shipping_classes: null,
    table_days: null as { min: number; max: number } | null,
  }
}
