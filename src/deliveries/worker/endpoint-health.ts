import type { Attempt } from '../attempt.ts'
import type { EndpointResult } from '../record-store.ts'

/** Share of unchanged results that are written anyway, so that `last_success_at` stays roughly right. */
const refreshShare = 0.05
const maxEndpoints = 20_000

/** The latest result of each endpoint in this process: what has not changed is rarely written. */
export class EndpointHealth {
  readonly #wasSuccess = new Map<string, boolean>()

  changes(attempts: Attempt[]): EndpointResult[] {
    const latest = new Map<string, EndpointResult>()
    for (const { delivery, status, startedAt } of attempts) {
      if (delivery.endpoint === null || status === 'skipped') continue
      const { shopId, target: endpointId } = delivery
      latest.set(endpointId, { shopId, endpointId, isSuccess: status === 'delivered', at: startedAt })
    }
    return [...latest.values()].filter(({ endpointId, isSuccess }) => {
      const isWritten = this.#wasSuccess.get(endpointId) !== isSuccess || Math.random() < refreshShare
      if (this.#wasSuccess.size > maxEndpoints) this.#wasSuccess.clear()
      this.#wasSuccess.set(endpointId, isSuccess)
      return isWritten
    })
  }
}
