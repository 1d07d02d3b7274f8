import { missedOrdersMetric } from './connections/catch-up/metrics.ts'
import { attemptsMetric, attemptTimesMetric } from './delivery/sending/metrics.ts'
import { bodiesMetric } from './http/incoming-bodies.ts'
import { requestsMetric, requestTimesMetric, unexpectedErrorsMetric } from './http/observe.ts'
import { ProcessMetrics } from './http/process-metrics.ts'
import { unreadMetric } from './http/stalled-output.ts'
import type { Operation } from './platform/foundation/operation.ts'
import { mailsMetric } from './platform/mail/metrics.ts'
import { jobRunsMetric } from './platform/workers/schedule.ts'

/** The metrics of one process, of whatever part of the service. */
export function createMetrics(served: readonly Operation[], version: string): ProcessMetrics {
  const metrics = new ProcessMetrics(
    [
      requestsMetric(served),
      unexpectedErrorsMetric,
      unreadMetric,
      bodiesMetric,
      attemptsMetric,
      mailsMetric,
      jobRunsMetric,
      missedOrdersMetric,
    ],
    [requestTimesMetric, attemptTimesMetric],
  )
  const buildInfo = { name: 'doorstep_build_info', help: 'The running version.', labelNames: ['version'] }
  metrics.addGauge(buildInfo).set({ version }, 1)
  return metrics
}
