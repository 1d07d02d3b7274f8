import { clientCredentials } from '../../credentials.ts'
import { describeIntegration } from '../integration.ts'

export const emarsys = describeIntegration({
  name: 'emarsys',
  label: 'Emarsys',
  kind: 'marketing',
  isListedUnset: true,
  credentials: clientCredentials({ removal: undefined }),
  hosts: ['api.emarsys.net', 'auth.emarsys.net'],
  // 1,000 requests per minute per API user.
  requestsPerSecond: 16,
  // No call returns the segments of a contact (README.md).
  abilities: ['checkAccount'],
  hasSegmentSwitch: true,
  load: () => import('./adapter.ts'),
})
