import { secondMs } from '../../../platform/foundation/clock.ts'
import { apiKeyWithWebhookSecret } from '../../credentials.ts'
import { codesIn } from '../code-map.ts'
import { describeProvider } from '../provider.ts'
import { carriers } from './carriers.ts'
import { version } from './version.ts'

export const aftership = describeProvider({
  name: 'aftership',
  label: 'AfterShip',
  kind: 'aggregator',
  isListedUnset: true,
  credentials: apiKeyWithWebhookSecret({ removal: 'credentials' }),
  hosts: ['api.aftership.com'],
  carriers: carriers.references,
  // The limit of the listing endpoint; registering has a higher one.
  limit: { requests: 6, perMs: secondMs },
  parcelsPerRequest: 50,
  abilities: ['register', 'readWebhook'],
  webhookVersion: version,
  // Listing the parcels with a number registers nothing, whether there is one or not.
  sample: { carrierReference: 'dhl', trackingNumber: '00340434161094042557' },
  codes: codesIn(new URL('./codes.csv', import.meta.url)),
  load: () => import('./adapter.ts'),
})
