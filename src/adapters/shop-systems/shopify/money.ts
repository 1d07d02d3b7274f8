import { amountOf, currencyOf, type Fields, fieldsOf } from '../read-fields.ts'

/** Reads amounts in the currency that the customer paid in. */
export interface MoneyReader {
  currency: string | undefined
  /** The amount of a field; undefined if the message has it only in another currency. */
  amountOf(fields: Fields, name: string): number | undefined
}

/**
 * Shopify sends each amount twice: `total_price` in the shop's currency, and `total_price_set`, whose
 * `presentment_money` is what the customer saw and paid.
 */
export function moneyOf(order: Fields): MoneyReader {
  const shopCurrency = currencyOf(order.currency)
  const paid = ['total_price', 'current_total_price'].map((name) => presentment(order, name))
  const paidCurrency = paid.map(({ currency_code }) => currencyOf(currency_code)).find(Boolean)
  const isForeign = paidCurrency !== undefined && paidCurrency !== shopCurrency
  return {
    currency: paidCurrency ?? shopCurrency,
    amountOf: (fields, name) =>
      amountOf(presentment(fields, name).amount) ?? (isForeign ? undefined : amountOf(fields[name])),
  }
}

function presentment(fields: Fields, name: string): Fields {
  return fieldsOf(fieldsOf(fields[`${name}_set`]).presentment_money)
}
