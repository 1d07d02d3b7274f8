import { mayInShop, type ShopContext } from '../../platform/foundation/context.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import { isAddress } from '../queue/delivery.ts'
import { failureReasonOf } from '../queue/failure-reason.ts'
import { hidePath } from '../queue/sealed-address.ts'
import type { Delivery } from './schema.ts'
import type { StoredAttempt, StoredDelivery } from './store.ts'

/** A delivery as the caller may see it: response bodies are for admins only, and the paths of addresses for nobody. */
export function toDelivery(context: ShopContext, delivery: StoredDelivery): Delivery {
  const isWebhook = isUuid(delivery.receiverId)
  const isAdmin = mayInShop(context, 'admin')
  const attempts = toAttempts(delivery.attempt_log)
  return {
    uuid: delivery.id,
    webhook_id: isWebhook ? delivery.receiverId : null,
    integration: isWebhook || isAddress(delivery.receiverId) ? null : delivery.receiverId,
    url: isAddress(delivery.receiverId) ? hidePath(delivery.receiverId) : null,
    event_name: delivery.event_name,
    ref: delivery.ref,
    event_group: delivery.event_group,
    shipment_id: delivery.shipment_id,
    order_id: delivery.order_id,
    order_number: delivery.order_number,
    status: delivery.status as Delivery['status'], // only these are ever stored
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.status === 'pending' ? delivery.next_attempt_at.toISOString() : null,
    created_at: delivery.created_at.toISOString(),
    finished_at: delivery.finished_at?.toISOString() ?? null,
    attempts: isAdmin ? attempts : attempts.map(withoutResponse),
  }
}

type Attempt = Delivery['attempts'][number]

/** At these stages the error comes from the network, and may name addresses or quote the receiver. */
const networkStages: ReadonlySet<Attempt['stage']> = new Set(['resolve', 'connect', 'tls', 'send'])

function withoutResponse(attempt: Attempt): Attempt {
  const error = networkStages.has(attempt.stage) ? null : attempt.error
  return { ...attempt, answer: null, error, reason: reasonOf({ ...attempt, error }) }
}

function reasonOf({ stage, status_code, error }: Omit<Attempt, 'reason'>): Attempt['reason'] {
  return failureReasonOf({ stage, statusCode: status_code, error }) ?? null
}

/** Sorted by number, because an attempt that was presumed lost is recorded late. */
export function toAttempts(stored: StoredAttempt[]): Attempt[] {
  return stored
    .map((attempt) => ({
      ...attempt,
      stage: attempt.stage as Attempt['stage'], // only these are ever stored
      started_at: new Date(attempt.started_at).toISOString(),
    }))
    .map((attempt) => ({ ...attempt, reason: reasonOf(attempt) }))
    .sort((left, right) => left.number - right.number)
}
