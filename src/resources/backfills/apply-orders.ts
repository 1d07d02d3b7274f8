import { savepoint } from '../../database/savepoint.ts'
import { after } from '../../foundation/clock.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { pollingPeriodMs } from '../../journey/shipments/rules.ts'
import { type PastOrder, type PastPosition, positionAfter } from '../../shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../shop-systems/shop-system.ts'
import { type AppliedOrder, applyReportedOrders } from '../shop-systems/receive.ts'
import { stopFollowing } from '../tracking/stop-store.ts'
import type { BackfillProblem } from './schema.ts'
import { listSettledShipments } from './shipment-store.ts'
import type { Progress } from './store.ts'

/**
 * Applies some past orders as their webhooks would be, inside the caller's transaction, and announces nothing. One with a
 * problem is undone and skipped. Together they take about as many statements as one of them alone, so each is tried alone
 * only if one of them has a problem.
 */
export async function applyPastOrders(
  context: ShopContext,
  system: ShopSystemName,
  orders: PastOrder[],
  position: PastPosition | undefined,
): Promise<Progress & { position: PastPosition | undefined }> {
  const silent: ShopContext = { ...context, isSilent: true }
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  const problems: BackfillProblem[] = []
  const orderIds: string[] = []
  const results = (await applyTogether(silent, system, orders)) ?? (await applyEach(silent, system, orders))
  for (const applied of results) {
    if ('problem' in applied) {
      problems.push(applied.problem)
      counts.failed += 1
    } else {
      counts[applied.change] += 1
      if (applied.orderId !== undefined) orderIds.push(applied.orderId)
    }
  }
  await stopFollowingSettled(context, orderIds)
  return { ...counts, problems, position: orders.reduce(positionAfter, position) }
}

type Result = AppliedOrder | { problem: BackfillProblem }

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
    context.log.error({ err: error, order: order.id, system }, 'an order of a backfill failed')
    const message = 'could not be written; the log of the service has the cause'
    return { problem: { ...about, key: 'unexpected', message } }
  }
}

/** Carriers are not queried about parcels that have arrived or that they no longer know: accounts have few requests. */
async function stopFollowingSettled(context: ShopContext, orderIds: string[]): Promise<void> {
  const settled = await listSettledShipments(context, orderIds, after(context.now, -pollingPeriodMs))
  await stopFollowing(context, context.shop.id, settled)
}

/** Errors of PostgreSQL about values: data exceptions, violated constraints, exceeded limits. */
function isAboutData(error: unknown): boolean {
  return /^(22|23|54)/.test((error as { code?: string } | undefined)?.code ?? '')
}
