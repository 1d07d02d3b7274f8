import { after, hourMs } from '../foundation/clock.ts'
import { finishOldParcels } from '../journey/shipments/enrol-store.ts'
import { pollingPeriodMs } from '../journey/shipments/rules.ts'
import type { Job } from './schedule.ts'

const batchSize = 5_000

/** Ends parcels that nobody could follow, because no provider of the shop knows their carrier or updates are off. */
export function createOldParcelsJob(): Job {
  return {
    name: 'old parcels',
    everyMs: hourMs,
    async run(context) {
      const before = after(context.now, -pollingPeriodMs)
      while ((await finishOldParcels(context, before, context.now, batchSize)) === batchSize);
    },
  }
}
