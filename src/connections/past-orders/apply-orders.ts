import type { PastOrder } from '../../adapters/shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { savepoint } from '../../platform/store/savepoint.ts'
import { type AppliedOrder, applyReportedOrders } from '../shop-systems/receive.ts'
import type { OrderProblem } from './schema.ts'

/** Counts of the results of applying orders. */
export interface AppliedOrders {
  created: number
  updated: number
  unchanged: number
  skipped: number
  failed: number
  problems: OrderProblem[]
  /** Our orders. */
  orderIds: string[]
}

/**
 * Applies orders that were read as their webhooks would be, inside the caller's transaction. One with a problem is undone
 * and skipped. Together they take about as many statements as one of them alone, so each is tried alone only if one of
 * them has a problem.
 */
export async function applyPastOrders(
  context: ShopContext,
  system: ShopSystemName,
  orders: PastOrder[],
): Promise<AppliedOrders> {
  const applied: AppliedOrders = {
    ...{ created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
    problems: [],
    orderIds: [],
  }
  for (const result of (await applyTogether(context, system, orders)) ?? (await applyEach(context, system, orders))) {
    if ('problem' in result) {
      applied.problems.push(result.problem)
      applied.failed += 1
    } else {
      applied[result.change] += 1
      if (result.orderId !== undefined) applied.orderIds.push(result.orderId)
    }
  }
  return applied
}

type Result = AppliedOrder | { problem: OrderProblem }

/** Undefined if one of them has a problem; then nothing is written. */
async function applyTogether(
  context: ShopContext,
  system: ShopSystemName,
  orders: PastOrder[],
): Promise<Result[] | undefined> {
  try {
    const reported = orders.map((order) => order.read())
    const given = reported.filter((order) => order !== undefined)
    const applied = (await savepoint(context, () => applyReportedOrders(context, system, given))).values()
    return reported.map((order): Result => (order && applied.next().value) ?? { change: 'skipped' })
  } catch (error) {
    if (error instanceof ApiError || isAboutData(error)) return undefined
    throw error
  }
}

async function applyEach(context: ShopContext, system: ShopSystemName, orders: PastOrder[]): Promise<Result[]> {
  const results: Result[] = []
  for (const order of orders) results.push(await applyOne(context, system, order))
  return results
}

async function applyOne(context: ShopContext, system: ShopSystemName, order: PastOrder): Promise<Result> {
  try {
    const reported = order.read()
    if (reported === undefined) return { change: 'skipped' }
    const [applied] = await savepoint(context, () => applyReportedOrders(context, system, [reported]))
    return applied ?? { change: 'skipped' }
  } catch (error) {
    const about = { order: order.number || order.id || '?' }
    if (error instanceof ApiError) return { problem: { ...about, key: error.key, message: error.message } }
    if (!isAboutData(error)) throw error
    context.log.error({ err: error, order: order.id, system }, 'an order that was read could not be written')
    const message = 'could not be written; the log of the service has the cause'
    return { problem: { ...about, key: 'unexpected', message } }
  }
}

/** Errors of PostgreSQL about values: data exceptions, violated constraints, exceeded limits. */
function isAboutData(error: unknown): boolean {
  return /^(22|23|54)/.test((error as { code?: string } | undefined)?.code ?? '')
}
