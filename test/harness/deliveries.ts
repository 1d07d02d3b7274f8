import { evaluateInternalTriggers } from '../../src/journey/internal-triggers/evaluate.ts'
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

/** Evaluates internal triggers as their job does; the other jobs have all shops of this process to go through. */
export async function runTriggers(): Promise<void> {
  await evaluateInternalTriggers((await theService()).context())
  await settle()
}

/** Runs the scheduled jobs that are due, and settles what they cause. */
export async function runJobs(service?: Service): Promise<void> {
  const { schedule } = service ?? (await theService())
  await schedule.tick()
  await settle(service)
}
