import type { ChosenItem, WithdrawableItem } from '../../claims/withdrawals/items.ts'
import { isWholeOrder } from '../../claims/withdrawals/items.ts'
import { dayWords } from './dates.ts'
import type { WithdrawalVisit } from './view.ts'

/** The statement as text, line by line: what the customer confirms, and what is stored. */
export function statementLines(visit: WithdrawalVisit, chosen: readonly ChosenItem[]): string[] {
  const { texts, order, shop, items, period, viewer } = visit
  const words = {
    order: order.order_name || order.order_number,
    placed: dayWords(viewer.language, order.order_placed_at, period.timeZone),
    shop: shop.name,
  }
  if (isWholeOrder(items, chosen)) return [texts.say('statement.all', words)]
  const lines = chosen.map(({ key, quantity }) => {
    const index = items.findIndex((item) => item.key === key)
    return texts.say('statement.item', { count: quantity, item: nameOf(visit, items[index], index) })
  })
  return [texts.say('statement.some', words), ...lines]
}

/** The title with the variant; a number if it has none. */
export function nameOf({ texts }: WithdrawalVisit, item: WithdrawableItem | undefined, index: number): string {
  const title = item?.title || texts.say('items.untitled', { number: index + 1 })
  return item?.variant ? `${title} (${item.variant})` : title
}
