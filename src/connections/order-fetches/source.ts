import type { ReportedOrder, ShopChange } from '../../adapters/shop-systems/shop-system.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import type { FetchedSystem } from './store.ts'

/** A shop system whose orders are fetched by their ids. */
export interface OrderSource {
  system: FetchedSystem
  /** As messages name it. */
  name: string
  /** Orders of one fetch. After a failure it is one at a time, so that an order that makes the system fail does not block the others. */
  batchSize: number
  /** Longer than the calls of one batch take together. */
  leaseMs: number
  /** Undefined if the shop is not connected (any longer): nothing remains to be fetched. */
  connect(context: ShopContext): Promise<FetchOrders | undefined>
  /** Applies what was fetched, inside the caller's transaction. */
  apply(context: ShopContext, change: ShopChange): Promise<void>
}

export type FetchOrders = (ids: string[]) => Promise<FetchedOrders>

export type FetchedOrders = { result: 'found'; orders: Map<string, FetchedOrder> } | FetchFailure

export interface FetchFailure {
  result: 'failed'
  detail: string
  retryAfterMs: number | undefined
}

/** Reads an order as it is now; undefined if it is not an order yet, such as a cart. Rejects what lacks required fields. */
export type FetchedOrder = (now: Date) => ReportedOrder | undefined
