import { secondMs } from '../../../platform/foundation/clock.ts'
import { apiKeyWithWebhookSecret } from '../../credentials.ts'
import { codesIn } from '../code-map.ts'
import { describeProvider } from '../provider.ts'
import { carriers } from './carriers.ts'

export const easypost = describeProvider({
  name: 'easypost',
  label: 'EasyPost',
  kind: 'aggregator',
  isListedUnset: true,
  credentials: apiKeyWithWebhookSecret({ removal: 'credentials' }),
  hosts: ['api.easypost.com'],
  carriers: carriers.references,
  // The fixed limit of listing endpoints; beyond it, EasyPost throttles by load.
  limit: { requests: 5, perMs: secondMs },
  parcelsPerRequest: 1,
  abilities: ['register', 'readWebhook'],
  // A test number of EasyPost. Listing trackers with it makes none.
  sample: { carrierReference: 'usps', trackingNumber: 'EZ1000000001' },
  codes: codesIn(new URL('./codes.csv', import.meta.url)),
  load: () => import('./adapter.ts'),
})
