import { apiKey } from '../../credentials.ts'
import { describeIntegration } from '../integration.ts'

export const klaviyo = describeIntegration({
  name: 'klaviyo',
  label: 'Klaviyo',
  kind: 'marketing',
  isListedUnset: true,
  credentials: apiKey({ removal: undefined }),
  hosts: ['a.klaviyo.com'],
  // The steady limit: 3,500 requests per minute.
  requestsPerSecond: 58,
  abilities: ['checkAccount', 'fetchSegments'],
  hasSegmentSwitch: true,
  // Get Profiles has Klaviyo's rate limit L; Get Segments for Profile and Get Lists for Profile have S.
  segmentLimits: {
    profiles: { perSecond: 75, perMinute: 700 },
    segments: { perSecond: 3, perMinute: 60 },
    lists: { perSecond: 3, perMinute: 60 },
  },
  load: () => import('./adapter.ts'),
})
