import { minuteMs } from '../platform/foundation/clock.ts'
import type { Job } from '../platform/workers/schedule.ts'

/** Each process records the use of keys in memory, and stores it once per minute. */
export function createKeyUseJob(authenticator: { flush(): Promise<void> }): Job {
  return { name: 'key use', everyMs: minuteMs, runsOn: 'every process', run: () => authenticator.flush() }
}

/** An announcement may be missed. */
export function createSigningKeyJob(read: () => Promise<void>): Job {
  return { name: 'signing keys', everyMs: minuteMs / 2, runsOn: 'every process', run: read }
}
