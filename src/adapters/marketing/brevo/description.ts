import { apiKey } from '../../credentials.ts'
import { describeIntegration } from '../integration.ts'

export const brevo = describeIntegration({
  name: 'brevo',
  label: 'Brevo',
  kind: 'marketing',
  isListedUnset: true,
  credentials: apiKey({ removal: undefined }),
  hosts: ['api.brevo.com'],
  usesProxy: true,
  requestsPerSecond: 10,
  abilities: ['checkAccount', 'fetchSegments'],
  hasSegmentSwitch: true,
  load: () => import('./adapter.ts'),
})
