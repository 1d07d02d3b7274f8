import { decimalsOf } from '../../../platform/foundation/amounts.ts'
import { amountOf, type Fields, fieldsOf, given, idOf, listOf, quantityOf, textOf, urlOf } from '../read-fields.ts'
import type { ReportedItem } from '../shop-system.ts'
import { lineAmountsOf, priceOf } from './amounts.ts'
import { isGiftCard, isGiftCardField } from './gift-cards.ts'
import { readableText } from './text.ts'

/** A line item as it was ordered. */
export function itemOf(item: Fields, currency: string | undefined): ReportedItem {
  const image = urlOf(fieldsOf(item.image).src)
  const productId = idOf(item.product_id)
  const options = optionsOf(item)
  const fraction = fractionOf(item.quantity)
  const variant_title = variantTitle(item, options)
  const properties = [
    ...options.filter(({ value }) => !variant_title?.includes(value)).map(({ name, value }) => ({ name, value })),
    ...(fraction === undefined ? [] : [{ name: 'Quantity', value: String(fraction) }]),
  ]
  const amounts = lineAmountsOf(item)
  const quantity = countOf(item.quantity)
  return given({
    title: readableText(item.parent_name ?? item.name, 2_000),
    quantity,
    // 2.5 metres are one piece, at the price of the line.
    price: priceOf(item, amounts, quantity ?? 1, decimalsOf(currency)),
    ...amounts,
    sku: textOf(item.sku, 255),
    variant_title,
    requires_shipping: isGiftCard(item) ? false : undefined,
    properties: properties.length === 0 ? undefined : properties.slice(0, 50),
    images: image === undefined ? undefined : [{ src: image }],
    type: 'product',
    product_id: productId,
    variant_id: idOf(item.variation_id) ?? productId,
  })
}

/** The number of pieces; a fractional quantity is one piece. */
export function countOf(value: unknown): number | undefined {
  return fractionOf(value) === undefined ? quantityOf(value) : 1
}

function fractionOf(value: unknown): number | undefined {
  const amount = amountOf(value)
  return amount === undefined || Number.isInteger(amount) || amount <= 0 ? undefined : amount
}

interface Option {
  key: string
  name: string
  value: string
}

/** The options chosen for an item, as WooCommerce shows them; keys with a leading underscore are hidden. */
function optionsOf(item: Fields): Option[] {
  return listOf(item.meta_data).flatMap((meta) => {
    const key = textOf(meta.key, 255)
    const name = readableText(meta.display_key ?? meta.key, 255)
    const value = readableText(withoutTags(meta.display_value ?? meta.value))
    if (key === undefined || key.startsWith('_') || name === undefined || value === undefined) return []
    return isGiftCardField(key) ? [] : [{ key, name, value }]
  })
}

function withoutTags(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 10_000).replace(/<[^<>]*>/g, ' ') : value
}

/** "Hoodie - Blue, Yes" is the variation "Blue, Yes" of "Hoodie". If the name does not say so, the attributes do. */
function variantTitle(item: Fields, options: Option[]): string | undefined {
  if (idOf(item.variation_id) === undefined && typeof item.parent_name !== 'string') return undefined
  const name = readableText(item.name, 2_000) ?? ''
  const parent = readableText(item.parent_name, 2_000) ?? ''
  if (parent !== '' && name.startsWith(`${parent} - `)) return textOf(name.slice(parent.length + 3))
  const attributes = options.filter(({ key }) => key.startsWith('pa_') || key.startsWith('attribute_'))
  return textOf(attributes.map(({ value }) => value).join(' / '))
}
