import { after, minuteMs, secondMs } from '../foundation/clock.ts'
import { guardCredentials } from '../foundation/credential-hosts.ts'
import type { Context } from '../foundation/operation.ts'
import type { Customer, Integration, IntegrationName } from '../marketing/integration.ts'
import { attemptLimitMs } from '../notifications/retry.ts'
import type { AccountState } from '../resources/integration-keys/account.ts'
import { addSegments, type DueFetch, delayFetch, takeFetches } from '../resources/orders/segment-store.ts'
import type { Outgoing } from './outgoing.ts'
import type { Job } from './schedule.ts'

const atOnce = 50
/** Four tries over a quarter of an hour; then the order goes without. */
const maxAttempts = 4
const longestAnswer = 1_000_000

export interface SegmentOptions {
  outgoing: Outgoing
  integrations: Record<IntegrationName, Integration>
  accountOf: (context: Context, shopId: string, integration: IntegrationName) => Promise<AccountState>
}

/** Asks marketing systems for the segments of customers whose orders came in, away from any request. */
export function createSegmentJob(options: SegmentOptions): Job {
  return {
    name: 'segments',
    everyMs: 10 * secondMs,
    async run(context) {
      for (;;) {
        const due = await takeFetches(context, after(context.now, 5 * minuteMs), atOnce)
        // One after another: these systems allow few such calls a second.
        for (const fetch of due) await carryOut(context, options, fetch)
        if (due.length < atOnce) return
      }
    },
  }
}

async function carryOut(context: Context, options: SegmentOptions, fetch: DueFetch): Promise<void> {
  const integration = options.integrations[fetch.integration as IntegrationName] // trigger settings name only these
  if (!fetch.isWanted || integration?.fetchSegments === undefined) return addSegments(context, fetch, [])
  const found = await options.accountOf(context, fetch.shopId, integration.name)
  if (found.state === 'wrong host' || found.state === 'set aside') {
    context.log.warn({ integration: fetch.integration, reason: found.reason }, 'segments were not fetched')
  }
  if (found.state !== 'ready') return addSegments(context, fetch, [])
  try {
    const outcome = await integration.fetchSegments(
      guardCredentials(
        (request) => options.outgoing.call({ ...request, limitMs: attemptLimitMs, answerBytes: longestAnswer }),
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
    context.log.warn({ err, integration: fetch.integration }, 'segments could not be fetched')
    await tryLater(context, fetch, undefined)
  }
}

async function tryLater(context: Context, fetch: DueFetch, retryAfterMs: number | undefined): Promise<void> {
  if (fetch.attempts >= maxAttempts) return addSegments(context, fetch, [])
  const pauseMs = Math.max(retryAfterMs ?? 0, minuteMs * 2 ** (fetch.attempts - 1))
  return delayFetch(context, fetch, after(context.now, pauseMs))
}

function customerOf(fetch: DueFetch): Customer {
  return {
    external_id: fetch.externalCustomerId,
    email: fetch.email,
    first_name: null,
    last_name: null,
    full_name: fetch.address?.name ?? null,
    phone: fetch.address?.phone ?? null,
  }
}
