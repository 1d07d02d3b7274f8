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

/** Runs one scheduled job, and settles what it causes. */
export async function runJob(name: string, service?: Service): Promise<void> {
  const { schedule } = service ?? (await theService())
  await schedule.run(name)
  await settle(service)
}

/**
 * Runs the scheduled jobs that are due, and settles what they cause. Only for a service of a test's own: in the shared one
 * they go through the shops of all tests before.
 */
export async function runJobs(service: Service): Promise<void> {
  await service.schedule.tick()
  await settle(service)
}
