import type { Service } from '../../src/service.ts'
import { theService } from './service.ts'

/** Carries out what is due, and waits until nothing is under way; twice, because what is done may make more due. */
export async function settle(service?: Service): Promise<void> {
  const { workers } = service ?? (await theService())
  for (let round = 0; round < 2; round += 1) {
    await workers?.deliveries.sweep()
    await workers?.deliveries.idle()
  }
}

/** Lets the scheduled jobs that are due have their turn, and settles what they cause. */
export async function runJobs(service?: Service): Promise<void> {
  const { schedule } = service ?? (await theService())
  await schedule.tick()
  await settle(service)
}
