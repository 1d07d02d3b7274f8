import { isUuid } from '../../foundation/ids.ts'
import { isAddress } from '../../notifications/store.ts'
import type { Delivery } from './schema.ts'
import type { StoredAttempt, StoredDelivery } from './store.ts'

export function toDelivery(delivery: StoredDelivery): Delivery {
  const isWebhook = isUuid(delivery.target)
  return {
    uuid: delivery.id,
    webhook_id: isWebhook ? delivery.target : null,
    integration: isWebhook || isAddress(delivery.target) ? null : delivery.target,
    url: isAddress(delivery.target) ? delivery.target : null,
    event_name: delivery.event_name,
    ref: delivery.ref,
    event_group: delivery.event_group,
    shipment_id: delivery.shipment_id,
    order_id: delivery.order_id,
    status: delivery.status as Delivery['status'], // only these are ever stored
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.status === 'pending' ? delivery.next_attempt_at.toISOString() : null,
    created_at: delivery.created_at.toISOString(),
    finished_at: delivery.finished_at?.toISOString() ?? null,
    attempts: toAttempts(delivery.attempt_log),
  }
}

/** In their order: one that was thought to be lost is written down late. */
export function toAttempts(stored: StoredAttempt[]): Delivery['attempts'] {
  return stored
    .map((attempt) => ({
      ...attempt,
      stage: attempt.stage as Delivery['attempts'][number]['stage'], // only these are ever stored
      started_at: new Date(attempt.started_at).toISOString(),
    }))
    .sort((left, right) => left.number - right.number)
}
