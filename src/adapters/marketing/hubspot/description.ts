import { Type } from '../../../platform/foundation/schema.ts'
import { apiKey } from '../../credentials.ts'
import { describeIntegration } from '../integration.ts'

export const hubspot = describeIntegration({
  name: 'hubspot',
  label: 'HubSpot',
  kind: 'marketing',
  isListedUnset: true,
  credentials: apiKey({ removal: undefined, hint: 'A service key, or the token of a private app.' }),
  hosts: ['api.hubapi.com'],
  setting: { name: 'portal_id', schema: Type.String({ maxLength: 255, examples: ['24601337'] }) },
  // 190 requests in ten seconds per private app.
  requestsPerSecond: 19,
  abilities: ['checkAccount', 'fetchSegments'],
  hasSegmentSwitch: true,
  load: () => import('./adapter.ts'),
})
