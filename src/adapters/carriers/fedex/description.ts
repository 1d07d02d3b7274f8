import { secondMs } from '../../../platform/foundation/clock.ts'
import { clientCredentials } from '../../credentials.ts'
import { codesIn } from '../code-map.ts'
import { describeProvider } from '../provider.ts'

export const fedex = describeProvider({
  name: 'fedex',
  label: 'FedEx',
  kind: 'carrier',
  isListedUnset: true,
  credentials: clientCredentials({ removal: 'credentials' }),
  hosts: ['apis.fedex.com'],
  carriers: ['fedex'],
  // The documented limit is 1,400 requests in ten seconds; half of it leaves capacity for the shop's other software.
  limit: { requests: 700, perMs: 10 * secondMs },
  parcelsPerRequest: 30,
  abilities: [],
  // An example of FedEx's documentation.
  sample: { carrierReference: 'fedex', trackingNumber: '123456789012' },
  codes: codesIn(new URL('./codes.csv', import.meta.url)),
  load: () => import('./adapter.ts'),
})
