import type { PastFailure, PastOrder, PastPosition } from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { after, hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { findShop } from '../../shops/shops/store.ts'
import { type Caller, failureWords, fetchPast, type NoAccount, readPages } from '../past-orders/read-pages.ts'
import { applySilently } from './apply-orders.ts'
import {
  type BackfillRow,
  leaseBackfill,
  lockLeasedBackfill,
  type Release,
  recordProgress,
  recordTotal,
  releaseBackfill,
} from './store.ts'

/** Longer than a request and a batch take together. Each batch renews the lease. */
const leaseMs = 2 * minuteMs

/** After this many leases without progress, or failed requests in a row, a backfill fails. */
const maxAttempts = 8
const maxFailures = 40

const firstPauseMs = 5 * secondMs
const longestPauseMs = hourMs / 4

/** It was cancelled, another worker has leased it, or its shop was deleted: this worker writes nothing more. */
export class BackfillLost extends Error {}

export function leaseDueBackfill(context: Context): Promise<BackfillRow | undefined> {
  return leaseBackfill(context, after(context.now, leaseMs))
}

/**
 * Continues a backfill where it stopped, until its end or while it may. The position moves in the transaction that writes
 * the orders before it, so the next worker repeats nothing and omits nothing. Nothing is called inside a transaction.
 */
export async function runBackfill(
  newContext: () => Context,
  leased: BackfillRow,
  caller: Caller,
  mayContinue: () => boolean,
): Promise<void> {
  const release = await continueBackfill(newContext, leased, caller, mayContinue)
  await releaseBackfill(newContext(), leased, release)
}

async function continueBackfill(
  newContext: () => Context,
  leased: BackfillRow,
  caller: Caller,
  mayContinue: () => boolean,
): Promise<Release> {
  if (leased.attempts > maxAttempts) {
    const message = 'It stopped here again and again; the log of the service has the cause.'
    return { status: 'failed', key: 'unexpected', message }
  }
  const system = leased.system as ShopSystemName // the schema of its creation allows only these
  const ending = await readPages({
    position: (leased.position ?? undefined) as PastPosition | undefined, // written by recordProgress
    async fetchPage(position) {
      const context = await withShop(newContext(), leased)
      const { since, until } = leased
      const page = await fetchPast(context, system, caller, (orders) =>
        orders.fetchPage({ by: 'placed', since, until }, position),
      )
      if (page.result === 'page' && page.total !== undefined) await recordTotal(newContext(), leased, page.total)
      return page
    },
    writeBatch: async (batch, position) =>
      writeBatch(await withShop(newContext(), leased), leased, system, batch, position),
    mayContinue,
  })
  const end = newContext()
  switch (ending.end) {
    case 'complete':
      return { status: 'completed' }
    case 'stuck':
      return { status: 'failed', key: 'bad_gateway', message: 'The same orders are returned again and again.' }
    case 'paused':
      return { status: 'waiting', until: after(end.now, ending.pauseMs), reason: 'rate_limited', isFailure: false }
    case 'interrupted':
      return { status: 'running', dueAt: end.now }
    case 'failed':
      return afterFailure(end, leased, ending.page)
  }
}

async function withShop(context: Context, { shop_id }: BackfillRow): Promise<ShopContext> {
  const shop = await findShop(context, shop_id)
  if (shop === undefined) throw new BackfillLost('its shop was deleted')
  return { ...context, shop }
}

async function writeBatch(
  context: ShopContext,
  lease: BackfillRow,
  system: ShopSystemName,
  batch: PastOrder[],
  position: PastPosition | undefined,
): Promise<PastPosition | undefined> {
  return inTransaction(context, async (context) => {
    if (!(await lockLeasedBackfill(context, lease))) {
      throw new BackfillLost('it was cancelled, or another worker has leased it')
    }
    const progress = await applySilently(context, system, batch, position)
    await recordProgress(context, lease, progress, after(context.now, leaseMs))
    return progress.position
  })
}

/** Waits if it may work later; fails with words if only the merchant can change that. */
function afterFailure(context: Context, leased: BackfillRow, failed: PastFailure | NoAccount): Release {
  if (failed.result === 'no account') return { status: 'failed', key: failed.error.key, message: failed.error.message }
  const { failure, detail, retryAfterMs } = failed
  const mayWorkLater = failure === 'rate_limited' || failure === 'unreachable'
  if (mayWorkLater && leased.failures < maxFailures) {
    context.log.warn({ shop: leased.shop_id, system: leased.system, detail }, 'a backfill waits')
    const pauseMs = retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(leased.failures, 12))
    return { status: 'waiting', until: after(context.now, pauseMs), reason: failure, isFailure: true }
  }
  const { key, problem, remedy } = failureWords(leased.system as ShopSystemName, failed) // as above
  const next = mayWorkLater ? ' It has been tried for hours. Resume when it works again.' : ''
  return { status: 'failed', key, message: remedy ? `${problem} ${remedy}, then resume.` : `${problem}${next}` }
}
