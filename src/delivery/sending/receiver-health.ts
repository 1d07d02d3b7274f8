import { hourMs } from '../../platform/foundation/clock.ts'
import { isUuid } from '../../platform/foundation/ids.ts'
import type { Attempt } from '../queue/attempt.ts'
import { type Delivery, isAddress } from '../queue/delivery.ts'
import { failureReasonOf } from '../queue/failure-reason.ts'
import type { HourResult, ReceiverResult } from '../queue/health-store.ts'

/** Results of recorded attempts by receiver, collected in memory until they are stored. */
export class ReceiverHealth {
  #results = new Map<string, ReceiverResult>()

  add(attempt: Attempt): void {
    const { delivery, status, startedAt } = attempt
    if (status === 'skipped' || !isCounted(delivery)) return
    const result = this.#resultOf(delivery)
    if (delivery.endpoint?.circuitOpenedAt) result.isProbed = true
    const hour = hourOf(result, startedAt)
    if (status === 'delivered') {
      hour.delivered += 1
      result.lastSuccessAt = startedAt
      result.failingSince = null
      result.failures = 0
      return
    }
    hour.failed += 1
    if (status === 'dead') hour.dead += 1
    result.failures += 1
    result.failingSince ??= startedAt
    const { stage, statusCode, error } = attempt.outcome
    const reason = failureReasonOf({ stage, statusCode, error }) ?? 'interrupted'
    result.lastFailure = { at: startedAt, reason, statusCode, deliveryId: delivery.id }
  }

  /** Everything since the last call. */
  take(): ReceiverResult[] {
    if (this.#results.size === 0) return []
    const results = [...this.#results.values()]
    this.#results = new Map()
    return results
  }

  #resultOf({ shopId, receiverId }: Delivery): ReceiverResult {
    const key = shopId + receiverId
    const known = this.#results.get(key)
    if (known) return known
    const created: ReceiverResult = {
      shopId,
      receiverId,
      lastSuccessAt: null,
      failingSince: null,
      failures: 0,
      isProbed: false,
      lastFailure: null,
      hours: [],
    }
    this.#results.set(key, created)
    return created
  }
}

/** Endpoints and integrations; not an address that an automation names, nor an endpoint that was deleted. */
function isCounted({ endpoint, receiverId }: Delivery): boolean {
  return endpoint !== null || !(isAddress(receiverId) || isUuid(receiverId))
}

function hourOf(result: ReceiverResult, at: Date): HourResult {
  const startMs = at.getTime() - (at.getTime() % hourMs)
  const known = result.hours.find((hour) => hour.startMs === startMs)
  if (known) return known
  const created = { startMs, delivered: 0, failed: 0, dead: 0 }
  result.hours.push(created)
  return created
}
