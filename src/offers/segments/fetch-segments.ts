import type { CallLimit, Customer } from '../../adapters/marketing/integration.ts'
import type { Integration, IntegrationName } from '../../adapters/marketing/registry.ts'
import type { AccountState } from '../../credentials/integration-keys/account.ts'
import { attemptLimitMs } from '../../delivery/queue/retry.ts'
import {
  addSegments,
  leaseFetches,
  postponeFetch,
  releaseFetch,
  type SegmentFetch,
} from '../../orders/orders/segment-store.ts'
import { after, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { guardCredentials } from '../../platform/foundation/credential-hosts.ts'
import { SendWindow } from '../../platform/foundation/send-window.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import type { Job } from '../../platform/workers/schedule.ts'

const atOnce = 50
/** Four tries over a quarter of an hour; then the order has no segments. */
const maxAttempts = 4
const maxBodyBytes = 1_000_000

export interface SegmentOptions {
  outgoing: Outgoing
  integrations: Record<IntegrationName, Integration>
  accountOf: (context: Context, shopId: string, integration: IntegrationName) => Promise<AccountState>
}

const everyMs = 10 * secondMs

/** Fetches the segments of customers with new orders from marketing systems, outside any request. */
export function createFetchSegmentsJob(options: SegmentOptions): Job {
  return {
    name: 'segments',
    everyMs,
    runsOn: 'one node',
    async run(context) {
      const allowances = new Map<string, SegmentAllowance>()
      for (;;) {
        const due = await leaseFetches(context, after(context.now, 5 * minuteMs), atOnce)
        // Those of one account in sequence, as it allows few such calls per second; no account waits for another.
        await Promise.all(
          [...byAccount(due)].map(async ([key, fetches]) => {
            const allowance = allowances.get(key) ?? allowanceOf(options, fetches[0])
            allowances.set(key, allowance)
            for (const fetch of fetches) await fetchFor(context, options, fetch, allowance)
          }),
        )
        if (due.length < atOnce) return
      }
    },
  }
}

function byAccount(fetches: SegmentFetch[]): Map<string, SegmentFetch[]> {
  const accounts = new Map<string, SegmentFetch[]>()
  for (const fetch of fetches) {
    const key = `${fetch.shopId} ${fetch.integration}`
    accounts.set(key, [...(accounts.get(key) ?? []), fetch])
  }
  return accounts
}

function allowanceOf({ integrations }: SegmentOptions, fetch: SegmentFetch | undefined): SegmentAllowance {
  const integration = integrations[fetch?.integration as IntegrationName] // trigger settings name only these
  return new SegmentAllowance(integration?.segmentLimits ?? {}, everyMs)
}

async function fetchFor(
  context: Context,
  options: SegmentOptions,
  fetch: SegmentFetch,
  allowance: SegmentAllowance,
): Promise<void> {
  const integration = options.integrations[fetch.integration as IntegrationName] // trigger settings name only these
  if (!fetch.isWanted || integration?.fetchSegments === undefined) return addSegments(context, fetch, [])
  const found = await options.accountOf(context, fetch.shopId, integration.name)
  if (found.state === 'wrong host' || found.state === 'set aside') {
    context.log.warn({ integration: fetch.integration, reason: found.reason }, 'segments were not fetched')
  }
  if (found.state !== 'ready') return addSegments(context, fetch, [])
  if (!allowance.hasCapacity()) return waitForAllowance(context, fetch, allowance)
  const hadAll = allowance.isUntouched()
  try {
    const outcome = await integration.fetchSegments(
      guardCredentials(
        async (request) => {
          await allowance.take(request.kind)
          const { isDirect } = found.account
          return options.outgoing.call({ ...request, limitMs: attemptLimitMs, maxBodyBytes, isDirect })
        },
        integration,
        context.services.credentialHosts,
      ),
      found.account,
      customerOf(fetch),
    )
    if (outcome.result === 'found') return await addSegments(context, fetch, outcome.segments)
    if (outcome.result !== 'failed') return await addSegments(context, fetch, [])
    await tryLater(context, fetch, outcome.retryAfterMs)
  } catch (err) {
    // One that needs more calls than a whole run has counts as failed, or it would be started again and again.
    if (err instanceof AllowanceUsedUp && !hadAll) return waitForAllowance(context, fetch, allowance)
    context.log.warn({ err, integration: fetch.integration }, 'segments could not be fetched')
    await tryLater(context, fetch, undefined)
  }
}

function waitForAllowance(context: Context, fetch: SegmentFetch, allowance: SegmentAllowance): Promise<void> {
  return releaseFetch(context, fetch, after(context.now, allowance.runsToWait() * everyMs))
}

async function tryLater(context: Context, fetch: SegmentFetch, retryAfterMs: number | undefined): Promise<void> {
  if (fetch.attempts >= maxAttempts) return addSegments(context, fetch, [])
  const pauseMs = Math.max(retryAfterMs ?? 0, minuteMs * 2 ** (fetch.attempts - 1))
  return postponeFetch(context, fetch, after(context.now, pauseMs))
}

function customerOf(fetch: SegmentFetch): Customer {
  return {
    external_id: fetch.externalCustomerId,
    email: fetch.email,
    first_name: null,
    last_name: null,
    full_name: fetch.address?.name ?? null,
    phone: fetch.address?.phone ?? null,
  }
}

/** The account has no call of this kind remaining in this run. */
class AllowanceUsedUp extends Error {}

/**
 * The calls that one run of the job may make to one account. All nodes together have one run per `everyMs`, so a run's
 * share of the limit per minute is enough for all of them to stay within it, without shared state.
 */
class SegmentAllowance {
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
