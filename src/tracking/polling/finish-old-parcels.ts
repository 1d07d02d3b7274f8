import { finishOldParcels } from '../../orders/shipments/enrol-store.ts'
import { pollingPeriodMs } from '../../orders/shipments/schema.ts'
import { after, hourMs } from '../../platform/foundation/clock.ts'
import type { Job } from '../../platform/workers/schedule.ts'

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
