import type { CallLimit } from '../../adapters/marketing/integration.ts'
import { minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import { SendWindow } from '../../platform/foundation/send-window.ts'

/** The account has no call of this kind remaining in this run. */
export class AllowanceUsedUp extends Error {}

/**
 * The calls that one run of the job may make to one account. All nodes together have one run per `everyMs`, so a run's
 * share of the limit per minute is enough for all of them to stay within it, without shared state.
 */
export class SegmentAllowance {
  readonly #kinds: Map<string, { remaining: number; window: SendWindow }>
  /** Customers that one run has calls for; undefined without limits. */
  readonly customersPerRun: number | undefined
  #putBack = 0
  #used = 0

  constructor(limits: Readonly<Record<string, CallLimit>>, everyMs: number) {
    const kinds = Object.entries(limits)
    this.#kinds = new Map(
      kinds.map(([kind, { perSecond, perMinute }]) => [
        kind,
        {
          remaining: shareOf(perMinute, everyMs),
          window: new SendWindow({ requests: perSecond, perMs: secondMs }),
        },
      ]),
    )
    this.customersPerRun =
      kinds.length === 0 ? undefined : Math.min(...kinds.map(([, { perMinute }]) => shareOf(perMinute, everyMs)))
  }

  /** Whether a call of each kind remains, which is what a customer needs at least. */
  hasCapacity(): boolean {
    return [...this.#kinds.values()].every(({ remaining }) => remaining > 0)
  }

  isUntouched(): boolean {
    return this.#used === 0
  }

  /** Counts a call, and waits until it may be sent. */
  async take(kind: string | undefined): Promise<void> {
    const known = this.#kinds.get(kind ?? '')
    if (known === undefined) return
    if (known.remaining === 0) throw new AllowanceUsedUp()
    known.remaining -= 1
    this.#used += 1
    const waitMs = known.window.reserve(performance.now())
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }

  /** How many runs later the next customer that has to wait is served: those before it come first. */
  runsToWait(): number {
    this.#putBack += 1
    return Math.ceil(this.#putBack / (this.customersPerRun ?? 1))
  }
}

function shareOf(perMinute: number, everyMs: number): number {
  return Math.max(1, Math.floor((perMinute * everyMs) / minuteMs))
}
