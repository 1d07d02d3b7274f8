import type { ShopContext } from '../../platform/foundation/context.ts'
import { readShopDays } from '../../shops/calendar/settings-store.ts'
import { itemsOf, type WithdrawableItem } from './items.ts'
import { findWithdrawableOrder, type WithdrawableOrder } from './order-store.ts'
import { periodOf, type WithdrawalPeriod } from './rules.ts'
import type { WithdrawalSettings } from './schema.ts'
import { readSettings } from './settings-store.ts'

/** An order with all that its withdrawal depends on. */
export interface OrderToWithdraw {
  order: WithdrawableOrder
  settings: WithdrawalSettings
  period: WithdrawalPeriod
  /** Empty if the order does not say what it is about. */
  items: WithdrawableItem[]
  /** The reason why nothing can be withdrawn from any more. */
  obstacle: 'withdrawn' | 'exempt' | undefined
}

/** Undefined if there is no such order. */
export async function findOrderToWithdraw(context: ShopContext, orderId: string): Promise<OrderToWithdraw | undefined> {
  const order = await findWithdrawableOrder(context, orderId)
  if (order === undefined) return undefined
  const settings = await readSettings(context, context.shop.id)
  const period = periodOf(
    {
      placedAt: order.order_placed_at,
      hasNothingToSend: order.nothing_to_send,
      expectedShipments: order.expected_number_of_shipments,
      country: /^\s*([A-Z]{2})\b/.exec(order.country_code ?? '')?.[1] ?? null,
      shipments: order.shipments.map(({ direction, phase, reached_at }) => ({
        direction,
        phase,
        reachedAt: reached_at === null ? null : new Date(reached_at),
      })),
    },
    settings,
    await readShopDays(context, context.shop.id),
  )
  // A withdrawal that the shop has rejected can be stated again.
  const valid = order.withdrawals.filter(({ status }) => status !== 'rejected')
  const withdrawn = valid.flatMap(({ items }) => items)
  const items = itemsOf(order, order.catalogue, settings, withdrawn)
  return { order, settings, period, items, obstacle: obstacleOf(items, valid.length > 0) }
}

function obstacleOf(items: readonly WithdrawableItem[], hasWithdrawn: boolean): OrderToWithdraw['obstacle'] {
  if (items.some(({ remaining }) => remaining > 0)) return undefined
  if (items.length > 0 && items.every(({ isExempt }) => isExempt)) return 'exempt'
  return hasWithdrawn ? 'withdrawn' : undefined
}
