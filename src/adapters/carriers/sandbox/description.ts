import { secondMs } from '../../../platform/foundation/clock.ts'
import { describeProvider } from '../provider.ts'
import { nextScanAt } from './schedule.ts'

/** Simulated parcels for trying things out: everything follows from the number and the clock, without network calls. */
export const sandbox = describeProvider({
  name: 'sandbox',
  label: 'Sandbox',
  kind: 'sandbox',
  isListedUnset: true,
  credentials: undefined,
  hosts: [],
  carriers: ['sandbox'],
  // Unlimited, apart from the worker's batch size.
  limit: { requests: 1_000, perMs: secondMs },
  parcelsPerRequest: 100,
  abilities: [],
  nextScanAt,
  load: () => import('./adapter.ts'),
})
