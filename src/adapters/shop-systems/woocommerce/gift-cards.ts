import { sumOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields, isFields, listOf, textOf } from '../read-fields.ts'

/** A gift card that paid a part of the order. Plug-ins lower the order's total by it, without a coupon or a fee. */
export interface UsedGiftCard {
  code: string | undefined
  amount: number
}

/** Woo's own Gift Cards add `gift_cards`, PW Gift Cards `pw_gift_card_lines`, YITH a meta field with amounts by code. */
export function usedGiftCards(order: Fields): UsedGiftCard[] {
  const cards = [
    ...listOf(order.gift_cards).map(({ code, amount }) => cardOf(code, amount)),
    ...listOf(order.pw_gift_card_lines).map(({ card_number, amount }) => cardOf(card_number, amount)),
    ...fromYith(order),
  ]
  return cards.filter(({ amount }) => amount > 0).slice(0, 50)
}

function fromYith(order: Fields): UsedGiftCard[] {
  const meta = new Map(listOf(order.meta_data).map(({ key, value }) => [key, value]))
  const cards = meta.get('_ywgc_applied_gift_cards')
  // Some shops turn them into a fee, which is in the order then.
  if (!isFields(cards) || textOf(meta.get('ywgc_gift_card_updated_as_fee')) !== undefined) return []
  return Object.entries(cards).map(([code, amount]) => cardOf(code, amount))
}

/** Anybody with the code can spend the card, so only its end is kept. */
function cardOf(code: unknown, amount: unknown): UsedGiftCard {
  const text = textOf(code, 255)
  return {
    code: text === undefined || text.length < 8 ? undefined : `•••• ${text.slice(-4)}`,
    amount: sumOf([amountOf(amount)]),
  }
}

/** Whether the line sells a gift card that is sent by mail, as the same plug-ins mark it. */
export function isGiftCard({ meta_data }: Fields): boolean {
  return listOf(meta_data).some(({ key, value }) => {
    if (key === '_ywgc_is_digital') return value === 1 || value === '1' || value === true
    return key === 'wc_gc_giftcard_amount' || key === 'pw_gift_card_amount'
  })
}

/** Fields of a line that hold codes, and the addresses that they are sent to. */
export function isGiftCardField(key: string): boolean {
  return key.startsWith('wc_gc_giftcard') || key.startsWith('pw_gift_card')
}
