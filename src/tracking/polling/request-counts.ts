import type { ProviderName } from '../../adapters/carriers/registry.ts'
import type { HourOfRequests } from '../../credentials/provider-accounts/usage-store.ts'
import { hourMs } from '../../platform/foundation/clock.ts'

/** How many requests were made to each provider, collected in memory until they are stored. */
export class RequestCounts {
  #hours = new Map<string, HourOfRequests>()

  add(shopId: string, provider: ProviderName, at: Date, isFailed: boolean): void {
    const hour = this.#hourOf(shopId, provider, at)
    hour.requests += 1
    if (isFailed) hour.failures += 1
  }

  /** Everything since the last call. */
  take(): HourOfRequests[] {
    const hours = [...this.#hours.values()]
    this.#hours = new Map()
    return hours
  }

  /** What could not be stored is counted again with the next. */
  giveBack(hours: readonly HourOfRequests[]): void {
    for (const { shopId, provider, hour, requests, failures } of hours) {
      const counted = this.#hourOf(shopId, provider, hour)
      counted.requests += requests
      counted.failures += failures
    }
  }

  #hourOf(shopId: string, provider: ProviderName, at: Date): HourOfRequests {
    const startMs = at.getTime() - (at.getTime() % hourMs)
    const key = `${shopId} ${provider} ${startMs}`
    const known = this.#hours.get(key)
    if (known) return known
    const created = { shopId, provider, hour: new Date(startMs), requests: 0, failures: 0 }
    this.#hours.set(key, created)
    return created
  }
}
