import { isUuid } from '../../platform/foundation/ids.ts'
import { type CounterSpec, latencyBuckets, type TimerSpec } from '../../platform/foundation/metrics.ts'
import type { Attempt } from '../queue/attempt.ts'
import { isAddress, mailReceiver } from '../queue/delivery.ts'

const receivers = ['webhook', 'mail', 'integration'] as const

export const attemptsMetric: CounterSpec = {
  name: 'doorstep_delivery_attempts_total',
  help: 'Attempts to send a delivery. retry: it is tried again later. dead: it was given up.',
  labels: { receiver: receivers, outcome: ['delivered', 'skipped', 'retry', 'dead'] },
}

export const attemptTimesMetric: TimerSpec = {
  name: 'doorstep_delivery_attempt_duration_seconds',
  help: 'Time from the start of an attempt to the end of its response.',
  labels: { receiver: receivers },
  buckets: latencyBuckets,
}

export type ReceiverKind = (typeof receivers)[number]

export function receiverKind(receiverId: string): ReceiverKind {
  if (receiverId === mailReceiver) return 'mail'
  return isUuid(receiverId) || isAddress(receiverId) ? 'webhook' : 'integration'
}

export function outcomeOf({ status }: Pick<Attempt, 'status'>): string {
  return status === 'pending' ? 'retry' : status
}
