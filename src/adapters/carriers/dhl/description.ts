import { dayMs, secondMs } from '../../../platform/foundation/clock.ts'
import { apiKey } from '../../credentials.ts'
import { describeProvider } from '../provider.ts'
import { services } from './services.ts'

export const dhl = describeProvider({
  name: 'dhl',
  label: 'DHL',
  kind: 'carrier',
  isListedUnset: true,
  credentials: apiKey({
    removal: 'credentials',
    hint: 'The API key of an app with access to Shipment Tracking - Unified.',
  }),
  hosts: ['api-eu.dhl.com'],
  carriers: [...new Set(services.values())],
  // The limit of a new key; DHL raises it on request.
  limit: { requests: 250, perMs: dayMs },
  minGapMs: 5 * secondMs,
  parcelsPerRequest: 1,
  abilities: [],
  // An example of DHL's documentation.
  sample: { carrierReference: 'dhl', trackingNumber: '00340434161094042557' },
  codes: { file: new URL('./codes.csv', import.meta.url), columns: 5, eventColumn: 2 },
  load: () => import('./adapter.ts'),
})
