import { type CallResponse, describeResponse } from '../../platform/foundation/call.ts'
import { type CheckResult, checkResultOf } from '../../platform/foundation/connection-check.ts'
import { readRetryAfter } from '../../platform/foundation/retry-after.ts'
import type { ReportedOrder } from './shop-system.ts'

/** Reads the existing orders of a shop system in pages, oldest first. */
export interface PastOrders {
  /** The orders after the position; the next ones are read after the last of them. Nothing is skipped or repeated. */
  fetchPage(reading: PastReading, position: PastPosition | undefined): Promise<PastPage>
  /** The orders with these ids, at most `maxIds`; those that were deleted are missing. One page. */
  fetchOrders(ids: string[]): Promise<PastPage>
}

/** The number of orders that each system returns for one request, with all that belongs to them. */
export const maxIds = 50

/** Orders that were placed in a period, or that their system has written since a time, in the sequence of their placement. */
export type PastReading = { by: 'placed'; since: Date; until: Date } | { by: 'changed'; since: Date }

/**
 * The time of the last order that was read, as its system writes it, and the orders of that time: several may have the
 * same. A page number would skip and repeat orders whenever one is deleted or arrives late.
 */
export interface PastPosition {
  at: string
  ids: string[]
}

export interface PastOrder {
  id: string
  /** The number that the merchant knows it by. */
  number: string
  at: string
  /** Reads it like its webhook; undefined if it is not an order yet, such as a cart. Rejects what lacks required fields. */
  read(): ReportedOrder | undefined
}

export type PastPage =
  | {
      result: 'page'
      orders: PastOrder[]
      isLast: boolean
      /** How many there are in the whole period; undefined if this page does not say. */
      total: number | undefined
      /** The pause before the next request that the system wants. */
      pauseMs: number
    }
  | PastFailure

export interface PastFailure {
  result: 'failed'
  failure: Exclude<CheckResult, 'ok'>
  status: number
  detail: string
  retryAfterMs: number | undefined
}

/** The position after an order. One without id or time moves nothing; the order after it does. */
export function positionAfter(position: PastPosition | undefined, { at, id }: PastOrder): PastPosition | undefined {
  if (at === '' || id === '') return position
  return position?.at === at ? { at, ids: [...position.ids, id] } : { at, ids: [id] }
}

/** Without those that were read before, if the system ignores a filter. */
export function withoutRead(orders: PastOrder[], position: PastPosition | undefined): PastOrder[] {
  if (position === undefined) return orders
  return orders.filter(
    ({ at, id }) => at === '' || at > position.at || (at === position.at && !position.ids.includes(id)),
  )
}

/** A response without orders. A success that cannot be read is a failure of the other side. */
export function pastFailure(system: string, response: CallResponse): PastFailure {
  const result = checkResultOf(response.status)
  const isSuccess = result === 'ok'
  return {
    result: 'failed',
    failure: isSuccess ? 'unreachable' : result,
    status: response.status,
    // A success has customers' data, so it is not quoted.
    detail: isSuccess ? `${system} returned orders that cannot be read.` : describeResponse(system, response),
    retryAfterMs: readRetryAfter(response),
  }
}
