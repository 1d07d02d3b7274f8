import { createHash } from 'node:crypto'
import { byName } from '../../adapters/description.ts'
import type { PastPosition } from '../../adapters/shop-systems/past-orders.ts'
import { describedShopSystems, type ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { CatchUpStep, ShopSystemDescription } from '../../adapters/shop-systems/shop-system.ts'
import { after, dayMs, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { AppliedOrders } from '../past-orders/apply-orders.ts'
import type { OrderProblem } from '../past-orders/schema.ts'
import { maxOrderProblems } from './schema.ts'

/** From the beginning of one run to the beginning of the next, on average. */
const periodMs = 15 * minuteMs
/** Between the end of a run and the next, even if it took longer than the period. */
const leastGapMs = minuteMs

/** Read again each time: for clocks that differ, and for what a shop system shows late. */
const overlapMs = hourMs
/** How far back the first run goes, and every other: Shopify shows an app no more than the second. */
const firstDays = 3
const mostDays = 60

const firstPauseMs = minuteMs
const longestPauseMs = hourMs

const steps = byName(describedShopSystems, ({ catchUp }): ShopSystemDescription['catchUp'] => catchUp)

/** A run that is not finished. Stored as JSON, so its times are text. */
export interface Run {
  since: string
  until: string
  step: CatchUpStep
  /** In the pages of the step; null: at its beginning. */
  position: PastPosition | null
  read: number
  created: number
  updated: number
  failed: number
  problems: OrderProblem[]
}

/** Reads from where the last run ended, and never what was placed or changed before the connection began. */
export function newRun(
  system: ShopSystemName,
  { began_at: began, caught_up_until: until }: { began_at: Date; caught_up_until: Date | null },
  now: Date,
): Run {
  const from = until ? after(until, -overlapMs) : after(now, -firstDays * dayMs)
  const since = new Date(Math.max(from.getTime(), began.getTime(), after(now, -mostDays * dayMs).getTime()))
  return {
    since: since.toISOString(),
    until: now.toISOString(),
    step: steps[system][0],
    position: null,
    ...{ read: 0, created: 0, updated: 0, failed: 0 },
    problems: [],
  }
}

/** The same run at its next step; undefined after the last one. */
export function nextStep(system: ShopSystemName, run: Run): Run | undefined {
  const step = steps[system][steps[system].indexOf(run.step) + 1]
  return step && { ...run, step, position: null }
}

export function withApplied(run: Run, applied: AppliedOrders): Run {
  const { created, updated, unchanged, skipped, failed, problems } = applied
  // An order with a problem may be read in several steps.
  const fresh = problems.filter(({ order }) => !run.problems.some((known) => known.order === order))
  return {
    ...run,
    read: run.read + created + updated + unchanged + skipped + failed,
    created: run.created + created,
    updated: run.updated + updated,
    failed: run.failed + failed,
    problems: [...run.problems, ...fresh].slice(0, maxOrderProblems),
  }
}

/** Each shop has a period of its own, 12 to 18 minutes, so that shops do not run at the same moment. */
export function nextRunAt(key: { shop_id: string; system: string }, { until }: Run, now: Date): Date {
  const digest = createHash('sha256').update(`${key.shop_id} ${key.system}`).digest()
  const share = digest.readUInt32BE(0) / 2 ** 32
  const planned = after(new Date(until), periodMs * (0.8 + 0.4 * share))
  const soonest = after(now, leastGapMs)
  return planned > soonest ? planned : soonest
}

/** The pause after a failure: the system's Retry-After if it sent one. */
export function pauseAfter(failures: number, retryAfterMs: number | undefined): number {
  return retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 12))
}
