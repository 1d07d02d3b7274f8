import { decimalsOf, sumOf } from '../../../platform/foundation/amounts.ts'
import { type Fields, fieldsOf, given, listOf, textOf } from '../read-fields.ts'
import { gapOf, type Parts, settle } from '../settle.ts'
import type { OrderFields, ReportedItem } from '../shop-system.ts'
import type { AmountReader } from './amounts.ts'
import { isTip } from './items.ts'

type Sums = Pick<
  OrderFields,
  'total_order_price' | 'shipping_price' | 'sub_total_price' | 'discount_price' | 'discounts' | 'fees'
>

/** The sums of an order with these products, tax included. `isCurrent`: after edits and refunds. */
export function sumsOf(order: Fields, products: ReportedItem[], reader: AmountReader, isCurrent: boolean): Sums {
  const { money } = reader
  const current = (name: string) =>
    (isCurrent ? money.amountOf(order, `current_${name}`) : undefined) ?? money.amountOf(order, name)
  const total = current('total_price')
  const postage = listOf(order.shipping_lines)
    .filter(({ is_removed }) => is_removed !== true)
    .map(reader.shippingAmounts)
  const shipping = shippingPrice(order, postage, reader)
  const isPriced = products.length > 0 && products.every(({ line_subtotal }) => line_subtotal !== undefined)
  const isSold = isPriced && products.every(({ line_total }) => line_total !== undefined)
  const goods = sumOf(products.map(({ line_subtotal }) => line_subtotal))
  const discount = isSold
    ? sumOf([goods, ...products.map(({ line_total = 0 }) => -line_total), ...postage.map((line) => line.discount)])
    : current('total_discounts')
  const discounts = discountsOf(order, reader)
  const parts: Parts = {
    goods,
    shipping: shipping ?? 0,
    discount: discount ?? 0,
    fees: feesOf(order, reader, isCurrent),
    discounts: discounts ?? [],
  }
  const isComplete = isPriced && total !== undefined && shipping !== undefined
  const settled = isComplete ? settle(withRefundedShipping(parts, order, reader, total), total, money.currency) : parts
  return given({
    total_order_price: total,
    shipping_price: shipping === undefined ? undefined : settled.shipping,
    sub_total_price: isPriced ? goods : current('subtotal_price'),
    discount_price: discount,
    discounts,
    fees: settled.fees.length === 0 ? undefined : settled.fees.slice(0, 100),
  })
}

/** Before its discount, which is one of the order's discounts. */
function shippingPrice(
  order: Fields,
  postage: { price: number | undefined }[],
  { money }: AmountReader,
): number | undefined {
  const prices = postage.map(({ price }) => price)
  const isKnown = Array.isArray(order.shipping_lines) && !prices.includes(undefined)
  const sum = isKnown ? sumOf(prices) : undefined
  return order.taxes_included === false
    ? (sum ?? money.amountOf(order, 'total_shipping_price'))
    : (money.amountOf(order, 'total_shipping_price') ?? sum)
}

/** Tips, duties and the fees that Shopify adds. */
function feesOf(order: Fields, { money, withTax, lineAmounts }: AmountReader, isCurrent: boolean): Parts['fees'] {
  const items = listOf(order.line_items)
  const either = (name: string) =>
    (isCurrent ? money.amountOf(order, `current_${name}`) : undefined) ?? money.amountOf(order, `original_${name}`)
  const dutyLines = items.flatMap((item) => listOf(item.duties))
  const dutyTax = dutyLines.map((duty) => withTax(0, duty))
  const duties = either('total_duties')
  const tips = items.filter(isTip).map((tip) => ({
    ...given({ name: textOf(tip.title, 255) }),
    amount: lineAmounts(tip).line_subtotal ?? 0,
  }))
  const tipped = tips.length > 0 ? tips : [{ name: 'Tip', amount: money.amountOf(order, 'total_tip_received') ?? 0 }]
  return [
    ...tipped,
    { name: 'Duties', amount: duties === undefined || duties === 0 ? 0 : sumOf([duties, ...dutyTax]) },
    { name: 'Additional fees', amount: either('total_additional_fees') ?? 0 },
  ].filter(({ amount }) => amount > 0)
}

/** Shopify takes refunded shipping out of the current total, but not out of the shipping lines. */
function withRefundedShipping(parts: Parts, order: Fields, { money }: AmountReader, total: number): Parts {
  const refunds = listOf(order.refunds).flatMap((refund) => listOf(refund.order_adjustments))
  const refunded = refunds.filter(({ kind }) => kind === 'shipping_refund')
  const net = sumOf(refunded.map((one) => Math.abs(money.amountOf(one, 'amount') ?? 0)))
  const tax = sumOf(refunded.map((one) => Math.abs(money.amountOf(one, 'tax_amount') ?? 0)))
  const gap = -gapOf(parts, total)
  if (gap <= 0 || (gap !== net && gap !== sumOf([net, tax]))) return parts
  return { ...parts, shipping: sumOf([parts.shipping, -gap]) }
}

/**
 * The discounts of an order, by the code entered or by the title of an automatic discount. Undefined if the message
 * carries no discounts.
 */
function discountsOf(order: Fields, reader: AmountReader): OrderFields['discounts'] {
  const applications = Array.isArray(order.discount_applications) ? order.discount_applications.map(fieldsOf) : []
  const codes = listOf(order.discount_codes)
  const discounts = applications.length > 0 ? fromApplications(order, applications, codes, reader) : codes.map(fromCode)
  return discounts.length === 0 ? undefined : discounts.slice(0, 100)
}

function fromCode(code: Fields) {
  return given({ code: textOf(code.code, 255), amount: textOf(code.amount, 64), type: textOf(code.type, 100) })
}

function fromApplications(order: Fields, applications: Fields[], codes: Fields[], reader: AmountReader) {
  const { money } = reader
  const amounts = allocatedAmounts(order, reader)
  return applications.map((application, index) => {
    const entered = textOf(application.code, 255)
    const code = codes.find((one) => textOf(one.code, 255)?.toLowerCase() === entered?.toLowerCase())
    const kind = application.target_type === 'shipping_line' ? 'shipping' : application.value_type
    // A code's own amount is in the shop's currency.
    const plain = money.currency === order.currency ? textOf(code?.amount, 64) : undefined
    return given({
      code: entered ?? textOf(application.title, 255) ?? textOf(application.description, 255),
      amount: amounts.get(index)?.toFixed(decimalsOf(money.currency)) ?? plain,
      type: textOf(code?.type, 100) ?? textOf(kind, 100),
    })
  })
}

/** The amount of each discount application, by its index: line items carry only their own share. */
function allocatedAmounts(order: Fields, reader: AmountReader): Map<number, number> {
  const amounts = new Map<number, number>()
  const lines = [...listOf(order.line_items), ...listOf(order.shipping_lines)]
  for (const line of lines) {
    for (const allocation of listOf(line.discount_allocations)) {
      const index = Number(allocation.discount_application_index)
      const amount = reader.discountWithTax(reader.money.amountOf(allocation, 'amount'), line)
      if (amount !== undefined) amounts.set(index, sumOf([amounts.get(index), amount]))
    }
  }
  return amounts
}
