import type { Attempt, SendResult } from '../../delivery/queue/attempt.ts'
import { updateCircuits } from '../../delivery/queue/circuit-store.ts'
import type { Delivery } from '../../delivery/queue/delivery.ts'
import { insertNotices } from '../../delivery/queue/enqueue-store.ts'
import { recordHealth } from '../../delivery/queue/health-store.ts'
import { recordAttempts } from '../../delivery/queue/record-store.ts'
import { maxRetries, pauseAfter } from '../../delivery/queue/retry.ts'
import { buildNotices } from '../../delivery/receivers/publish.ts'
import { findReceivers } from '../../delivery/receivers/receivers-store.ts'
import { ReceiverHealth } from '../../delivery/sending/receiver-health.ts'
import { toRecordedEvent } from '../../orders/events/to-recorded-event.ts'
import { after, dayMs, hourMs, secondMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { createWebhook } from '../../webhooks/endpoints/operations.ts'
import { listEndpoints } from '../../webhooks/endpoints/store.ts'
import type { DemoParts } from './parts.ts'
import { perform } from './perform.ts'
import { unevennessMs } from './scans.ts'

/** It receives problems only: no parcel that still moves has one, so that it stays as healthy as it was. */
const healthy = {
  url: 'https://desk.river-and-pine.example/hooks/parcels',
  description: 'Customer service: parcels with a problem, of orders that are worth a call',
  enabled_events: ['delivery_failed', 'returned', 'return_failed', 'return_transit'].map(
    (phase) => `shipments/${phase}`,
  ),
  conditions: [{ field: 'context.order.total_order_price', operator: 'gte', value: 20 }],
  headers: [{ name: 'X-Desk-Key', value: 'a key of the demo shop' }],
}
/** Nothing responds there, so that its circuit is open, and new events of moving parcels wait like the last ones. */
const failing = {
  url: 'https://warehouse.river-and-pine.example/doorstep',
  description: 'Warehouse system',
  enabled_events: ['shipments/delivered'],
}
const failingHours = 60
/** Few parcels are delivered at a weekend, and a circuit opens only after enough failures. */
const leastFailing = 6

/** The longest history that endpoints have: sending the rest would only take time. */
const loggedDays = 30

const accepted: SendResult = {
  verdict: 'delivered',
  statusCode: 200,
  responseBody: '{"ok":true}',
  stage: null,
  error: null,
  retryAfterMs: undefined,
}
const unavailable: SendResult = {
  verdict: 'retry',
  statusCode: 503,
  responseBody: '<h1>Service Unavailable</h1>',
  stage: 'status',
  error: null,
  retryAfterMs: undefined,
}

/**
 * Two webhook endpoints with the attempts of the last weeks: one with conditions and a header is healthy, the other has failed for
 * days. Nothing is sent: the attempts are recorded as the workers would have recorded them.
 */
export async function sendMessages(context: ShopContext, { scans }: DemoParts): Promise<void> {
  for (const endpoint of [healthy, failing]) {
    await perform({ ...context, now: after(context.now, -(loggedDays + 60) * dayMs) }, createWebhook, endpoint)
  }
  const [failingEndpoint] = (await listEndpoints(context, { url: failing.url })).items
  const begin = after(context.now, -loggedDays * dayMs)
  const events = scans.filter(({ eventTime }) => eventTime > begin).flatMap(toRecordedEvent)
  const receivers = await findReceivers(context, events)
  const notices = await buildNotices(
    context,
    events
      .flatMap((event, n) => ({ event, receivers: receivers.get(n) ?? [] }))
      .filter(({ receivers }) => receivers.length > 0),
  )
  const offered = new Set(notices.flatMap(({ receivers }) => receivers.map(({ deliveryId }) => deliveryId)))
  const { leased } = await insertNotices(context, notices, { offered, leaseUntil: after(context.now, hourMs) })
  const triggeredAt = new Map(notices.map(({ id, triggeredAt }) => [id, triggeredAt]))
  const timeOf = ({ notificationId }: Delivery) => triggeredAt.get(notificationId) ?? context.now
  const times = leased.filter(({ receiverId }) => receiverId === failingEndpoint?.id).map(timeOf)
  const failingSince = noLaterThan(after(context.now, -failingHours * hourMs), times)
  await recordHistory(
    context,
    leased.map((delivery) => {
      const isFailing = delivery.receiverId === failingEndpoint?.id && timeOf(delivery) >= failingSince
      return attemptsOf(delivery, timeOf(delivery), isFailing, context.now)
    }),
  )
}

/** This time, or that of an earlier delivery if fewer than the least came after it. */
function noLaterThan(time: Date, times: Date[]): Date {
  const newestFirst = times.map((each) => each.getTime()).sort((left, right) => right - left)
  return new Date(Math.min(time.getTime(), newestFirst[leastFailing - 1] ?? time.getTime()))
}

/** The attempts of one delivery until now: one that succeeds, or one after the other that fails. */
function attemptsOf(delivery: Delivery, triggeredAt: Date, isFailing: boolean, now: Date): Attempt[] {
  const attempts: Attempt[] = []
  let startedAt = after(triggeredAt, secondMs)
  // Every twentieth succeeds at the second attempt.
  const failures = isFailing ? maxRetries + 1 : unevennessMs(delivery.id) % (20 * secondMs) === 0 ? 1 : 0
  for (let number = 1; startedAt < now && number <= maxRetries + 1; number += 1) {
    const outcome = number <= failures ? unavailable : accepted
    const pauseMs = outcome === accepted ? undefined : pauseAfter(number, 5 * secondMs, { jitter: 0.5 })
    const durationMs = 40 + ((unevennessMs(`${delivery.id}${number}`) / secondMs) % 150)
    const nextAttemptAt = after(startedAt, durationMs + (pauseMs ?? 0))
    const status = outcome === accepted ? 'delivered' : pauseMs === undefined ? 'dead' : 'pending'
    attempts.push({
      delivery: { ...delivery, attemptNumber: number, attemptSinceResend: number },
      startedAt,
      durationMs,
      outcome,
      status,
      nextAttemptAt,
    })
    if (status !== 'pending') break
    startedAt = nextAttemptAt
  }
  return attempts
}

/** All first attempts, then all second ones: one statement writes one attempt of each delivery. */
async function recordHistory(context: ShopContext, histories: Attempt[][]): Promise<void> {
  for (let index = 0; index < maxRetries + 1; index += 1) {
    const attempts = histories.flatMap((history) => history[index] ?? [])
    if (attempts.length > 0) await recordAttempts(context, attempts)
  }
  const health = new ReceiverHealth()
  const byTime = histories.flat().sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime())
  for (const attempt of byTime) health.add(attempt)
  const results = health.take()
  await recordHealth(context, results)
  await updateCircuits(context, results, context.now)
}
