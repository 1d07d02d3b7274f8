import { Type } from '../../../platform/foundation/schema.ts'
import { userAndPassword } from '../../credentials.ts'
import { describeIntegration } from '../integration.ts'
import { findSpaceUrl, ownDomains } from './space.ts'

export const inxmail = describeIntegration({
  name: 'inxmail',
  label: 'Inxmail',
  kind: 'marketing',
  isListedUnset: true,
  credentials: userAndPassword({ removal: undefined }),
  hosts: ownDomains.map((domain) => `*${domain}`),
  addressOf: findSpaceUrl,
  setting: { name: 'instance_id', schema: Type.String({ maxLength: 255, examples: ['inx-4711'] }) },
  // Inxmail publishes no limit; a small contract accepts this rate without queueing.
  requestsPerSecond: 10,
  // No call returns the segments of a recipient (README.md).
  abilities: ['checkAccount'],
  hasSegmentSwitch: true,
  load: () => import('./adapter.ts'),
})
