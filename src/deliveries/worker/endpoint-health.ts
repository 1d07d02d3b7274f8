import type { AttemptRecord } from '../claim-store.ts'

/** How an endpoint did last. */
interface Health {
  shopId: string
  endpointId: string
  isSuccess: boolean
  at: Date
}

/** How this process last saw each endpoint. */
export class EndpointHealth {
  readonly #wasSuccess = new Map<string, boolean>()

  /** What is to be written of it: what has changed, and now and then that an endpoint is well. */
  newsOf(attempts: AttemptRecord[]): Health[] {
    const latest = new Map<string, Health>()
    for (const { endpointId, shopId, status, startedAt } of attempts) {
      if (endpointId === null || status === 'skipped') continue
      latest.set(endpointId, { shopId, endpointId, isSuccess: status === 'delivered', at: startedAt })
    }
    return [...latest.values()].filter(({ endpointId, isSuccess }) => {
      const isNews = this.#wasSuccess.get(endpointId) !== isSuccess || Math.random() < 0.05
      if (this.#wasSuccess.size > 20_000) this.#wasSuccess.clear()
      this.#wasSuccess.set(endpointId, isSuccess)
      return isNews
    })
  }
}
