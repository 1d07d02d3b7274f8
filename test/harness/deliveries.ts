import type { Service } from '../../src/service.ts'
import { theService } from './service.ts'

/** Processes what is due, and waits until nothing is in flight; twice, because that may make more due. */
export async function settle(service?: Service): Promise<void> {
  const { workers } = service ?? (await theService())
  for (let round = 0; round < 2; round += 1) {
    await workers?.deliveries.sweep()
    await workers?.deliveries.idle()
  }
}

/** Runs the scheduled jobs that are due, and settles what they cause. */
export async function runJobs(service?: Service): Promise<void> {
  const { schedule } = service ?? (await theService())
  await schedule.tick()
  await settle(service)
}
