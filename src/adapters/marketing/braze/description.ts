import { Type } from '../../../platform/foundation/schema.ts'
import { apiKey } from '../../credentials.ts'
import { type AccountSettings, describeIntegration } from '../integration.ts'
import { originOf } from './address.ts'

export const braze = describeIntegration({
  name: 'braze',
  label: 'Braze',
  kind: 'marketing',
  isListedUnset: true,
  credentials: apiKey({ removal: undefined }),
  // Each instance has its own REST endpoint below these domains.
  hosts: ['*.braze.com', '*.braze.eu'],
  addressOf: ({ rest_endpoint }: AccountSettings) => originOf(rest_endpoint),
  setting: {
    name: 'rest_endpoint',
    schema: Type.String({ maxLength: 2_048, examples: ['https://rest.fra-01.braze.eu'] }),
    isAddress: true,
  },
  // The base limit is 3,000 in three seconds; contracts by active users have less, and every call is one event.
  requestsPerSecond: 250,
  // No endpoint returns the segments of a user (README.md).
  abilities: ['checkAccount'],
  hasSegmentSwitch: true,
  load: () => import('./adapter.ts'),
})
