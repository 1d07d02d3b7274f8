import { byName } from '../../adapters/description.ts'
import type { PastFailure, PastOrder, PastOrders, PastPage } from '../../adapters/shop-systems/past-orders.ts'
import { describedShopSystems, type ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import type { AdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import type { Call } from '../../platform/foundation/call.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError } from '../../platform/foundation/credential-hosts.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { getPastOrdersAccount } from './accounts.ts'

/** Orders that are written together: other writers of these orders wait for them. */
const batchOrders = 25

/** The calls of a worker, and Shopware's API with the tokens that the worker has. */
export interface Caller {
  call: Call
  shopware: AdminApi
}

/** The system is not connected, or its credentials must not be used: only the merchant can change that. */
export interface NoAccount {
  result: 'no account'
  error: ApiError
}

/** A place in the list that is being read; undefined: its beginning. */
export interface PageSteps<Position> {
  position: Position | undefined
  fetchPage(position: Position | undefined): Promise<PastPage | NoAccount>
  /** Writes orders of a page in one transaction, with the position behind them, which it returns. */
  writeBatch(orders: PastOrder[], position: Position | undefined, isPageEnd: boolean): Promise<Position | undefined>
  /** After each page. */
  mayContinue(): boolean
}

export type Ending =
  | { end: 'complete' }
  /** The same page would be returned again. */
  | { end: 'stuck' }
  /** The system wants us to wait. */
  | { end: 'paused'; pauseMs: number }
  | { end: 'interrupted' }
  | { end: 'failed'; page: PastFailure | NoAccount }

/** Reads pages and writes them in batches, until the end or while it may. Nothing is called inside a transaction. */
export async function readPages<Position>({
  position,
  fetchPage,
  writeBatch,
  mayContinue,
}: PageSteps<Position>): Promise<Ending> {
  for (;;) {
    const page = await fetchPage(position)
    if (page.result !== 'page') return { end: 'failed', page }
    const before = position
    for (let from = 0; from < page.orders.length; from += batchOrders) {
      const to = from + batchOrders
      position = await writeBatch(page.orders.slice(from, to), position, to >= page.orders.length)
    }
    if (page.isLast) return { end: 'complete' }
    if (position === before) return { end: 'stuck' }
    if (page.pauseMs > 0) return { end: 'paused', pauseMs: page.pauseMs }
    if (!mayContinue()) return { end: 'interrupted' }
  }
}

/** Fetches with the credentials as they are now. A request that cannot be sent, or gets no response, is a failure like any other. */
export async function fetchPast(
  context: ShopContext,
  system: ShopSystemName,
  { call, shopware }: Caller,
  fetch: (orders: PastOrders) => Promise<PastPage>,
): Promise<PastPage | NoAccount> {
  let orders: PastOrders
  try {
    orders = (await getPastOrdersAccount(context, system))(call, shopware)
  } catch (error) {
    if (error instanceof ApiError) return { result: 'no account', error }
    throw error
  }
  try {
    return await fetch(orders)
  } catch (error) {
    const isForbidden = error instanceof CredentialHostError
    const detail = error instanceof Error ? error.message : String(error)
    const failure = isForbidden ? 'unexpected' : 'unreachable'
    return { result: 'failed', failure, status: 0, detail, retryAfterMs: undefined }
  }
}

const labels = byName(describedShopSystems, ({ label }): string => label)

/** A failure as text, and what the merchant can do about it; no remedy: nothing. */
export function failureWords(
  system: ShopSystemName,
  { failure, status }: PastFailure,
): { key: 'partner_key_missing_permissions' | 'bad_gateway'; problem: string; remedy: string | undefined } {
  const name = labels[system]
  switch (failure) {
    case 'unauthorised':
      return {
        key: 'partner_key_missing_permissions',
        problem: `${name} rejects the credentials.`,
        remedy: 'Set new ones',
      }
    case 'missing_permissions':
      return {
        key: 'partner_key_missing_permissions',
        problem: `The credentials for ${name} may not read orders.`,
        remedy: 'Grant that',
      }
    case 'not_found':
      return {
        key: 'bad_gateway',
        problem: `There is no API of ${name} at this address.`,
        remedy: 'Correct it',
      }
    case 'rate_limited':
      return { key: 'bad_gateway', problem: `${name} was called too often.`, remedy: undefined }
    case 'unreachable':
      return { key: 'bad_gateway', problem: `${name} could not be reached.`, remedy: undefined }
    default: {
      const problem = `${name} rejected the request${status === 0 ? '' : ` with the status ${status}`}.`
      return { key: 'bad_gateway', problem, remedy: undefined }
    }
  }
}
