import { after, hourMs } from '../../foundation/clock.ts'
import { finishOldParcels } from '../../journey/shipments/enrol-store.ts'
import { pollingPeriodMs } from '../../journey/shipments/rules.ts'
import type { Job } from '../schedule.ts'

const batchSize = 5_000

/** Ends parcels that could not be tracked: no provider of the shop knows their carrier, or updates are off. */
export const finishOldParcelsJob: Job = {
  name: 'old parcels',
  everyMs: hourMs,
  runsOn: 'one node',
  async run(context) {
    const before = after(context.now, -pollingPeriodMs)
    while ((await finishOldParcels(context, before, context.now, batchSize)) === batchSize);
  },
}
