import type { Call } from '../../foundation/call.ts'
import { after, hourMs, minuteMs, secondMs } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { CredentialHostError } from '../../foundation/credential-hosts.ts'
import { ApiError } from '../../foundation/errors.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import type { PastFailure, PastOrder, PastOrders, PastPage, PastPosition } from '../../shop-systems/past-orders.ts'
import type { ShopSystemName } from '../../shop-systems/shop-system.ts'
import type { AdminApi } from '../../shop-systems/shopware/admin-api.ts'
import { findShop } from '../shops/store.ts'
import { getPastOrdersAccount } from './accounts.ts'
import { applyPastOrders } from './apply-orders.ts'
import {
  type BackfillRow,
  claimBackfill,
  lockClaimedBackfill,
  type Release,
  recordProgress,
  recordTotal,
  releaseBackfill,
} from './store.ts'

/** Longer than a request and a batch take together. Each batch renews the lease. */
const leaseMs = 2 * minuteMs

/** Orders that are written together: other writers of these orders wait for them. */
const batchOrders = 25

/** After this many claims without progress, or failed requests in a row, a backfill fails. */
const maxAttempts = 8
const maxFailures = 40

const firstPauseMs = 5 * secondMs
const longestPauseMs = hourMs / 4

/** What a worker brings: how to call, and the tokens it has. */
export interface Caller {
  call: Call
  shopware: AdminApi
}

/** It was cancelled, another worker has claimed it, or its shop was deleted: this worker writes nothing more. */
export class BackfillLost extends Error {}

export function claimDueBackfill(context: Context): Promise<BackfillRow | undefined> {
  return claimBackfill(context, after(context.now, leaseMs))
}

/**
 * Continues a backfill where it stopped, until its end or while it may. The position moves in the transaction that writes
 * the orders before it, so the next worker repeats nothing and omits nothing. Nothing is called inside a transaction.
 */
export async function runBackfill(
  newContext: () => Context,
  claimed: BackfillRow,
  caller: Caller,
  mayContinue: () => boolean,
): Promise<void> {
  const release = await continueBackfill(newContext, claimed, caller, mayContinue)
  await releaseBackfill(newContext(), claimed, release)
}

async function continueBackfill(
  newContext: () => Context,
  claimed: BackfillRow,
  caller: Caller,
  mayContinue: () => boolean,
): Promise<Release> {
  if (claimed.attempts > maxAttempts) {
    const message = 'It stopped here again and again; the log of the service has the cause.'
    return { status: 'failed', key: 'unexpected', message }
  }
  const system = claimed.system as ShopSystemName // the schema of its creation allows only these
  let position = (claimed.position ?? undefined) as PastPosition | undefined // written by recordProgress
  for (;;) {
    const shop = await findShop(newContext(), claimed.shop_id)
    if (shop === undefined) throw new BackfillLost('its shop was deleted')
    const orders = await findPastOrders({ ...newContext(), shop }, system, caller)
    if ('status' in orders) return orders
    const page = await fetchPage(orders, claimed, position)
    const now = newContext()
    if (page.result === 'failed') return afterFailure(now, claimed, page)
    if (page.total !== undefined) await recordTotal(now, claimed, page.total)
    const before = position
    for (let from = 0; from < page.orders.length; from += batchOrders) {
      const batch = page.orders.slice(from, from + batchOrders)
      position = await writeBatch({ ...newContext(), shop }, claimed, system, batch, position)
    }
    if (page.isLast) return { status: 'completed' }
    if (position === before) {
      return { status: 'failed', key: 'bad_gateway', message: 'The same orders are returned again and again.' }
    }
    const end = newContext()
    if (page.pauseMs > 0) {
      return { status: 'waiting', until: after(end.now, page.pauseMs), reason: 'rate_limited', isFailure: false }
    }
    if (!mayContinue()) return { status: 'running', dueAt: end.now }
  }
}

async function findPastOrders(
  context: Parameters<typeof getPastOrdersAccount>[0],
  system: ShopSystemName,
  { call, shopware }: Caller,
): Promise<PastOrders | Release> {
  try {
    return (await getPastOrdersAccount(context, system))(call, shopware)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: 'failed', key: error.key, message: error.message }
  }
}

async function fetchPage(
  orders: PastOrders,
  { since, until }: BackfillRow,
  position: PastPosition | undefined,
): Promise<PastPage> {
  try {
    return await orders.fetchPage({ since, until }, position)
  } catch (error) {
    const isForbidden = error instanceof CredentialHostError
    const detail = error instanceof Error ? error.message : String(error)
    const failure = isForbidden ? 'unexpected' : 'unreachable'
    return { result: 'failed', failure, status: 0, detail, retryAfterMs: undefined }
  }
}

async function writeBatch(
  context: Parameters<typeof applyPastOrders>[0],
  claim: BackfillRow,
  system: ShopSystemName,
  batch: PastOrder[],
  position: PastPosition | undefined,
): Promise<PastPosition | undefined> {
  return inTransaction(context, async (context) => {
    if (!(await lockClaimedBackfill(context, claim))) {
      throw new BackfillLost('it was cancelled, or another worker has claimed it')
    }
    const progress = await applyPastOrders(context, system, batch, position)
    await recordProgress(context, claim, progress, after(context.now, leaseMs))
    return progress.position
  })
}

/** Waits if it may work later; fails with words if only the merchant can change that. */
function afterFailure(context: Context, claimed: BackfillRow, failed: PastFailure): Release {
  const { failure, detail, retryAfterMs } = failed
  const mayWorkLater = failure === 'rate_limited' || failure === 'unreachable'
  if (mayWorkLater && claimed.failures < maxFailures) {
    context.log.warn({ shop: claimed.shop_id, system: claimed.system, detail }, 'a backfill waits')
    const pauseMs = retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(claimed.failures, 12))
    return { status: 'waiting', until: after(context.now, pauseMs), reason: failure, isFailure: true }
  }
  return { status: 'failed', ...failureWords(claimed.system as ShopSystemName, failed) } // as above
}

const names: Record<ShopSystemName, string> = { shopify: 'Shopify', shopware: 'Shopware', woocommerce: 'WooCommerce' }

function failureWords(system: ShopSystemName, { failure, status }: PastFailure): { key: string; message: string } {
  const name = names[system]
  switch (failure) {
    case 'unauthorised':
      return {
        key: 'partner_key_missing_permissions',
        message: `${name} rejects the credentials. Set new ones, then resume.`,
      }
    case 'missing_permissions':
      return {
        key: 'partner_key_missing_permissions',
        message: `The credentials for ${name} may not read orders. Grant that, then resume.`,
      }
    case 'not_found':
      return { key: 'bad_gateway', message: `There is no API of ${name} at this address. Correct it, then resume.` }
    case 'rate_limited':
    case 'unreachable':
      return { key: 'bad_gateway', message: `${name} could not be reached for hours. Resume when it works again.` }
    default:
      return {
        key: 'bad_gateway',
        message: `${name} rejected the request${status === 0 ? '' : ` with the status ${status}`}.`,
      }
  }
}
