import {
  type PastFailure,
  type PastOrder,
  type PastPosition,
  positionAfter,
} from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { pollingPeriodMs } from '../../orders/shipments/schema.ts'
import { after, hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { findShop } from '../../shops/shops/store.ts'
import { stopFollowing } from '../../tracking/scans/stop-store.ts'
import { applyPastOrders } from '../past-orders/apply-orders.ts'
import { createPastOrdersCaller } from '../past-orders/past-orders-caller.ts'
import { type Caller, failureWords, fetchPast, type NoAccount, readPages } from '../past-orders/read-pages.ts'
import { listSettledShipments } from './shipment-store.ts'
import {
  type BackfillProgress,
  type BackfillRow,
  leaseBackfill,
  lockLeasedBackfill,
  type Release,
  recordProgress,
  recordTotal,
  releaseBackfill,
} from './store.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** A backfill to begin, or one that was cancelled. */
    backfills: []
  }
}

const sweepMs = 2 * secondMs
/** A backfill runs this long before it can be leased again: a small one does not wait for a large one. */
const sliceMs = 5 * secondMs
const pauseAfterFailureMs = 10 * secondMs
/** Backfills that this process runs at once; a shop system that does not respond blocks one of them. */
const maxRunning = 2

/** Brings in existing orders, page by page. */
export class BackfillWorker extends Worker {
  readonly #caller: Caller
  #running = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'backfills', context, sweepMs })
    this.#caller = createPastOrdersCaller(context, outgoing)
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const leased = await leaseDueBackfill(this.context)
      if (leased === undefined) return
      this.#running += 1
      this.runTask(() => this.#runSlice(leased))
    }
  }

  async #runSlice(leased: BackfillRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      const mayContinue = () => !this.isStopping && performance.now() < until
      await runBackfill(() => this.context, leased, this.#caller, mayContinue)
    } catch (err) {
      if (err instanceof BackfillLost) return
      const { context } = this
      context.log.error({ err, backfill: leased.id }, 'a backfill was interrupted and will be resumed')
      await releaseBackfill(context, leased, { status: 'running', dueAt: after(context.now, pauseAfterFailureMs) })
    } finally {
      this.#running -= 1
      // Either of them may have become due, or another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}

/** Longer than a request and a batch take together. Each batch renews the lease. */
const leaseMs = 2 * minuteMs

/** After this many leases without progress, or failed requests in a row, a backfill fails. */
const maxAttempts = 8
const maxFailures = 40

const firstPauseMs = 5 * secondMs
const longestPauseMs = hourMs / 4

/** It was cancelled, another worker has leased it, or its shop was deleted: this worker writes nothing more. */
class BackfillLost extends Error {}

function leaseDueBackfill(context: Context): Promise<BackfillRow | undefined> {
  return leaseBackfill(context, after(context.now, leaseMs))
}

/**
 * Continues a backfill where it stopped, until its end or while it may. The position moves in the transaction that writes
 * the orders before it, so the next worker repeats nothing and omits nothing. Nothing is called inside a transaction.
 */
async function runBackfill(
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
  const system = systemOf(leased)
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
    writeBatch: async (batch, position) => writeBatch(await withShop(newContext(), leased), leased, batch, position),
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

function systemOf({ system }: BackfillRow): ShopSystemName {
  return system as ShopSystemName // the schema of its creation allows only these
}

async function withShop(context: Context, { shop_id }: BackfillRow): Promise<ShopContext> {
  const shop = await findShop(context, shop_id)
  if (shop === undefined) throw new BackfillLost('its shop was deleted')
  return { ...context, shop }
}

async function writeBatch(
  context: ShopContext,
  lease: BackfillRow,
  batch: PastOrder[],
  position: PastPosition | undefined,
): Promise<PastPosition | undefined> {
  return inTransaction(context, async (context) => {
    if (!(await lockLeasedBackfill(context, lease))) {
      throw new BackfillLost('it was cancelled, or another worker has leased it')
    }
    const progress = await applySilently(context, systemOf(lease), batch, position)
    await recordProgress(context, lease, progress, after(context.now, leaseMs))
    return progress.position
  })
}

/** Waits if it may work later; fails with a message if only the merchant can change that. */
function afterFailure(context: Context, leased: BackfillRow, failed: PastFailure | NoAccount): Release {
  if (failed.result === 'no account') return { status: 'failed', key: failed.error.key, message: failed.error.message }
  const { failure, detail, retryAfterMs } = failed
  const mayWorkLater = failure === 'rate_limited' || failure === 'unreachable'
  if (mayWorkLater && leased.failures < maxFailures) {
    context.log.warn({ shop: leased.shop_id, system: leased.system, detail }, 'a backfill waits')
    const pauseMs = retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(leased.failures, 12))
    return { status: 'waiting', until: after(context.now, pauseMs), reason: failure, isFailure: true }
  }
  const { key, problem, remedy } = failureWords(systemOf(leased), failed)
  const next = mayWorkLater ? ' It has been tried for hours. Resume when it works again.' : ''
  return { status: 'failed', key, message: remedy ? `${problem} ${remedy}, then resume.` : `${problem}${next}` }
}

/** Applies some past orders inside the caller's transaction, and announces nothing. */
async function applySilently(
  context: ShopContext,
  system: ShopSystemName,
  orders: PastOrder[],
  position: PastPosition | undefined,
): Promise<BackfillProgress & { position: PastPosition | undefined }> {
  const { orderIds, ...progress } = await applyPastOrders({ ...context, isSilent: true }, system, orders)
  await stopFollowingSettled(context, orderIds)
  return { ...progress, position: orders.reduce(positionAfter, position) }
}

/** Carriers are not queried about parcels that have arrived or that they no longer know: accounts have few requests. */
async function stopFollowingSettled(context: ShopContext, orderIds: string[]): Promise<void> {
  const settled = await listSettledShipments(context, orderIds, after(context.now, -pollingPeriodMs))
  await stopFollowing(context, context.shop.id, settled)
}
