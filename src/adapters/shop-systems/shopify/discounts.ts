import { decimalsOf, sumOf } from '../../../platform/foundation/amounts.ts'
import { type Fields, fieldsOf, given, listOf, textOf } from '../read-fields.ts'
import type { OrderFields } from '../shop-system.ts'
import type { AmountReader } from './amounts.ts'

/**
 * The discounts of an order, by the code entered or by the title of an automatic discount. Undefined if the message
 * carries no discounts.
 */
export function discountsOf(order: Fields, reader: AmountReader): OrderFields['discounts'] {
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
