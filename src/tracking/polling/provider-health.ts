import type { ProviderName } from '../../adapters/carriers/registry.ts'
import { recordProviderHealth } from '../../credentials/provider-accounts/store.ts'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { accountPause } from '../scans/rules.ts'
import { isFailure, type ProviderResponse } from './provider-request.ts'

/** How often a success is recorded while there are no failures. */
const successEveryMs = minuteMs

/** The health of one shop's account with a provider. Every failure is recorded, successes only now and then. */
export class ProviderHealth {
  readonly #shopId: string
  readonly #provider: ProviderName
  #isFailing = false
  #successRecordedMs = 0

  constructor(shopId: string, provider: ProviderName) {
    this.#shopId = shopId
    this.#provider = provider
  }

  /** Whether the last request failed. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  update(response: ProviderResponse): void {
    this.#isFailing = isFailure(response)
  }

  /** Records how a request ended, and how long the provider is not called. `failures` are those before, in a row. */
  async record(context: Context, response: ProviderResponse, failures: number): Promise<void> {
    const base = { shopId: this.#shopId, provider: this.#provider, at: context.now }
    if (!isFailure(response)) {
      const isRecent = Math.abs(context.now.getTime() - this.#successRecordedMs) < successEveryMs
      if (failures === 0 && isRecent) return
      this.#successRecordedMs = context.now.getTime()
      return recordProviderHealth(context, base)
    }
    this.#successRecordedMs = 0
    // A rejected payload concerns one parcel, which is retried later; the others continue.
    const isAboutParcel = response.result === 'rejected' && response.key === 'invalid_payload'
    if (isAboutParcel) this.#isFailing = false
    const pauseMs = accountPause(failures + 1, {
      jitter: Math.random(),
      isRejected: response.result === 'rejected',
      retryAfterMs: response.result === 'failed' ? response.retryAfterMs : undefined,
    })
    const pausedUntil = isAboutParcel ? undefined : after(context.now, pauseMs)
    const { status, detail } = response
    return recordProviderHealth(context, { ...base, failure: { status, detail, failures: failures + 1, pausedUntil } })
  }
}
