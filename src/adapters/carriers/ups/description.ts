import { secondMs } from '../../../platform/foundation/clock.ts'
import { clientCredentials } from '../../credentials.ts'
import { codesIn } from '../code-map.ts'
import { describeProvider } from '../provider.ts'

export const ups = describeProvider({
  name: 'ups',
  label: 'UPS',
  kind: 'carrier',
  isListedUnset: true,
  credentials: clientCredentials({ removal: 'credentials' }),
  hosts: ['onlinetools.ups.com'],
  carriers: ['ups'],
  // UPS publishes no limit, and replies with 429 to frequent requests.
  limit: { requests: 10, perMs: secondMs },
  parcelsPerRequest: 1,
  abilities: [],
  // An example of UPS's documentation.
  sample: { carrierReference: 'ups', trackingNumber: '1Z12345E0291980793' },
  codes: codesIn(new URL('./codes.csv', import.meta.url)),
  load: () => import('./adapter.ts'),
})
