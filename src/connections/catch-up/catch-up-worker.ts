import { maxIds, type PastOrder, positionAfter } from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { after, dayMs, hourMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import type { Outgoing } from '../../platform/outgoing/outgoing.ts'
import { Worker } from '../../platform/workers/worker.ts'
import { findShop } from '../../shops/shops/store.ts'
import { applyPastOrders } from '../past-orders/apply-orders.ts'
import { createPastOrdersCaller } from '../past-orders/past-orders-caller.ts'
import { type Caller, type Ending, failureWords, fetchPast, readPages } from '../past-orders/read-pages.ts'
import { missedOrdersMetric } from './metrics.ts'
import { listOpenOrders, type OpenPosition } from './open-orders-store.ts'
import { newRun, nextRunAt, nextStep, pauseAfter, type Run, withApplied } from './rules.ts'
import {
  type CatchUpProgress,
  type CatchUpRow,
  leaseCatchUp,
  lockLeasedCatchUp,
  type Release,
  recordProgress,
  releaseCatchUp,
} from './store.ts'

declare module '../../platform/workers/wake.ts' {
  interface WorkKinds {
    /** Recent orders to read again. */
    catchUps: []
  }
}

const sweepMs = 2 * secondMs
/** A run goes on this long before it can be leased again: a small one does not wait for a large one. */
const sliceMs = 5 * secondMs
const pauseAfterFailureMs = minuteMs
/** Shop systems that this process reads at once, after a start all of them; one that does not respond blocks one of them. */
const maxRunning = 4

/** Reads recent orders of connected shop systems again, to find what no webhook reported. */
export class CatchUpWorker extends Worker {
  readonly #caller: Caller
  #running = 0

  constructor(context: () => Context, outgoing: Outgoing) {
    super({ name: 'catch-ups', context, sweepMs })
    this.#caller = createPastOrdersCaller(context, outgoing)
  }

  /** Leases what is due, as far as there is capacity. */
  protected override async findWork(): Promise<void> {
    while (!this.isStopping && this.#running < maxRunning) {
      const leased = await leaseDueCatchUp(this.context)
      if (leased === undefined) return
      this.#running += 1
      this.runTask(() => this.#runSlice(leased))
    }
  }

  async #runSlice(leased: CatchUpRow): Promise<void> {
    const until = performance.now() + sliceMs
    try {
      const mayContinue = () => !this.isStopping && performance.now() < until
      await runCatchUp(() => this.context, leased, this.#caller, mayContinue)
    } catch (err) {
      const { context } = this
      const dueAt = after(context.now, pauseAfterFailureMs)
      // Released in any case: its shop may be paused, and continues later.
      await releaseCatchUp(context, leased, { dueAt })
      if (err instanceof CatchUpLost) return
      const { shop_id: shop, system } = leased
      context.log.error({ err, shop, system }, 'catching up was interrupted and will be resumed')
    } finally {
      this.#running -= 1
      // Either of them may have become due, or another one may have waited for this place.
      if (!this.isStopping) this.wake()
    }
  }
}

/** Longer than the requests for a page, with the details of its orders, and a batch take together. Each batch renews the lease. */
const leaseMs = 5 * minuteMs

/** After this many leases without progress, something ends the process at this place. */
const maxAttempts = 8

/** Our orders without a number that are read again in one run, and for how long after they were placed. */
const maxOpenOrders = 200
const openDays = 30

/** Another worker has leased it, or its shop was paused or deleted: this worker writes nothing more. */
class CatchUpLost extends Error {}

function leaseDueCatchUp(context: Context): Promise<CatchUpRow | undefined> {
  return leaseCatchUp(context, after(context.now, leaseMs))
}

/**
 * Begins or continues a run, until its end or while it may. The position moves in the transaction that writes the orders
 * before it. What is read again is unchanged, and writes and announces nothing.
 */
async function runCatchUp(
  newContext: () => Context,
  leased: CatchUpRow,
  caller: Caller,
  mayContinue: () => boolean,
): Promise<void> {
  const release = await new CatchUpRun(newContext, leased, caller, mayContinue).continue()
  await releaseCatchUp(newContext(), leased, release)
}

/** One lease of a run: the part that is done changes with each batch. */
class CatchUpRun {
  readonly #newContext: () => Context
  readonly #leased: CatchUpRow
  readonly #caller: Caller
  readonly #mayContinue: () => boolean
  readonly #system: ShopSystemName
  #run: Run
  #openPosition: OpenPosition | undefined
  #hasProgress = false

  constructor(newContext: () => Context, leased: CatchUpRow, caller: Caller, mayContinue: () => boolean) {
    this.#newContext = newContext
    this.#leased = leased
    this.#caller = caller
    this.#mayContinue = mayContinue
    this.#system = leased.system as ShopSystemName // written for these only
    this.#run = (leased.run as Run | null) ?? newRun(this.#system, leased, newContext().now) // written by recordProgress
    this.#openPosition = (leased.open_position as OpenPosition | null) ?? undefined // the same
  }

  async continue(): Promise<Release> {
    if (this.#leased.attempts > maxAttempts) {
      const message = 'It stopped here again and again; the log of the service has the cause.'
      return { dueAt: after(this.#newContext().now, hourMs), problem: { key: 'unexpected', message } }
    }
    for (;;) {
      const isOpen = this.#run.step === 'open'
      const ending = this.#run.step === 'open' ? await this.#readOpen() : await this.#readPeriod(this.#run.step)
      if (ending.end !== 'complete') {
        const release = this.#stopped(ending)
        // The period was read. Orders that the shop system cannot return must not keep us from reading the next one.
        return isOpen && release.problem ? { ...release, finished: this.#progress } : release
      }
      const next = nextStep(this.#system, this.#run)
      if (next === undefined) break
      this.#run = next
    }
    return { dueAt: nextRunAt(this.#leased, this.#run, this.#newContext().now), finished: this.#progress }
  }

  get #progress(): CatchUpProgress {
    return { run: this.#run, openPosition: this.#openPosition }
  }

  #readPeriod(by: 'placed' | 'changed'): Promise<Ending> {
    const since = new Date(this.#run.since)
    const reading = by === 'placed' ? { by, since, until: new Date(this.#run.until) } : { by, since }
    return readPages({
      position: this.#run.position ?? undefined,
      fetchPage: async (position) =>
        fetchPast(await this.#shopContext(), this.#system, this.#caller, (orders) =>
          orders.fetchPage(reading, position),
        ),
      writeBatch: (batch, position) => {
        const next = batch.reduce(positionAfter, position)
        return this.#write(batch, (run) => ({ run: { ...run, position: next ?? null } })).then(() => next)
      },
      mayContinue: this.#mayContinue,
    })
  }

  /** Reads the next part of our open orders in each run, so that the cost of a run does not grow with their number. */
  async #readOpen(): Promise<Ending> {
    const since = after(this.#newContext().now, -openDays * dayMs)
    let left = maxOpenOrders
    let next: OpenPosition | undefined
    return readPages<OpenPosition>({
      position: this.#openPosition,
      fetchPage: async (position) => {
        const context = await this.#shopContext()
        const limit = Math.min(maxIds, left)
        const open = await listOpenOrders(context, this.#system, { after: position, since, limit })
        next = open.next
        left -= open.ids.length
        if (open.ids.length === 0) {
          this.#openPosition = next
          return { result: 'page', orders: [], isLast: true, total: undefined, pauseMs: 0 }
        }
        const page = await fetchPast(context, this.#system, this.#caller, (orders) => orders.fetchOrders(open.ids))
        // Those that the shop system no longer has, or cannot return, may be all of them.
        const isEmpty = page.result !== 'page' || page.orders.length === 0
        if (isEmpty) this.#openPosition = next
        return page.result === 'page' ? { ...page, isLast: isEmpty || next === undefined || left <= 0 } : page
      },
      writeBatch: async (batch, position, isPageEnd) => {
        const reached = isPageEnd ? next : position
        await this.#write(batch, (run) => ({ run, openPosition: reached }))
        return reached
      },
      mayContinue: this.#mayContinue,
    })
  }

  /** Applies orders as their webhooks would be, with all that follows, in the transaction that moves the position. */
  async #write(batch: PastOrder[], moved: (run: Run) => Partial<CatchUpProgress> & { run: Run }): Promise<void> {
    const progress = await inTransaction(await this.#shopContext(), async (context) => {
      if (!(await lockLeasedCatchUp(context, this.#leased))) {
        throw new CatchUpLost('another worker has leased it, or its shop was stopped')
      }
      const applied = await applyPastOrders(context, this.#system, batch)
      const next = { openPosition: this.#openPosition, ...moved(withApplied(this.#run, applied)) }
      await recordProgress(context, this.#leased, next, after(context.now, leaseMs))
      return next
    })
    const missed = progress.run.created - this.#run.created
    this.#newContext().services.metrics.count(missedOrdersMetric, { system: this.#system }, missed)
    this.#run = progress.run
    this.#openPosition = progress.openPosition
    this.#hasProgress = true
  }

  async #shopContext(): Promise<ShopContext> {
    const context = this.#newContext()
    const shop = await findShop(context, this.#leased.shop_id)
    if (shop === undefined || shop.paused_at !== null) throw new CatchUpLost('its shop was paused or deleted')
    return { ...context, shop }
  }

  #stopped(ending: Exclude<Ending, { end: 'complete' }>): Release {
    const context = this.#newContext()
    const { now } = context
    const failed = (key: string, message: string, retryAfterMs?: number): Release => {
      const failures = this.#hasProgress ? 0 : this.#leased.failures
      return { dueAt: after(now, pauseAfter(failures, retryAfterMs)), problem: { key, message } }
    }
    switch (ending.end) {
      case 'paused':
        return { dueAt: after(now, ending.pauseMs) }
      case 'interrupted':
        return { dueAt: now }
      case 'stuck':
        return failed('bad_gateway', 'The same orders are returned again and again.')
      case 'failed': {
        const { page } = ending
        if (page.result === 'no account') return failed(page.error.key, page.error.message)
        const { shop_id: shop, system } = this.#leased
        context.log.warn({ shop, system, detail: page.detail }, 'catching up with a shop system failed')
        const { key, problem, remedy } = failureWords(this.#system, page)
        return failed(key, remedy ? `${problem} ${remedy}.` : problem, page.retryAfterMs)
      }
    }
  }
}
