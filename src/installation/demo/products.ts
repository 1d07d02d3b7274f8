import type { Product } from '../../orders/orders/parts.ts'
import type { Currency } from './places.ts'

interface CatalogueItem {
  title: string
  /** In euros. */
  price: number
  weightGrams: number
  variants: readonly string[]
}

/** The products of River & Pine. */
const catalogue = {
  tarn: item('Tarn rain jacket', 149.95, 420, ['Moss / S', 'Moss / M', 'Moss / L', 'Slate / M', 'Slate / XL']),
  fell: item('Fell fleece', 89.95, 380, ['Oat / S', 'Oat / M', 'Pine / M', 'Pine / L']),
  brook: item('Brook merino T-shirt', 59.95, 170, ['Charcoal / S', 'Charcoal / M', 'Rust / M', 'Rust / L']),
  ridge: item('Ridge trekking trousers', 109.95, 390, ['Slate / 36', 'Slate / 38', 'Olive / 40', 'Olive / 42']),
  larch: item('Larch wool socks, 2 pairs', 24.95, 140, ['Grey / 36–38', 'Grey / 39–42', 'Grey / 43–46']),
  cairn: item('Cairn down vest', 129.95, 310, ['Pine / S', 'Pine / M', 'Rust / L']),
  juniper: item('Juniper beanie', 29.95, 80, ['Oat', 'Pine', 'Rust']),
  heath: item('Heath flannel shirt', 79.95, 350, ['Red check / M', 'Red check / L', 'Green check / L']),
  delta: item('Delta rain trousers', 99.95, 290, ['Black / M', 'Black / L']),
  otter: item('Otter dry bag, 20 l', 34.95, 210, ['Orange', 'Slate']),
  bracken: item('Bracken gloves', 39.95, 110, ['Black / 8', 'Black / 9', 'Olive / 9']),
  card: item('Gift card', 50, 0, ['By e-mail']),
}

/** An order line without a currency. */
export interface Line {
  product: keyof typeof catalogue
  variant: string
  quantity: number
}

export function line(product: Line['product'], variant: string, quantity = 1): Line {
  if (!catalogue[product].variants.includes(variant)) throw new Error(`the demo shop sells no ${product} in ${variant}`)
  return { product, variant, quantity }
}

export const productNames = Object.keys(catalogue) as Line['product'][] // the keys of a constant object

/** One of the given variants each. */
export function everyVariant(): Line[] {
  return productNames.flatMap((name) => catalogue[name].variants.map((variant) => line(name, variant)))
}

/** The order line as a shop system sends it. */
export function toProduct({ product, variant, quantity }: Line, currency: Currency): Product {
  const { title, weightGrams } = catalogue[product]
  return {
    title,
    quantity,
    price: priceOf(product, currency),
    sku: `RP-${product}-${variant}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '-'),
    weight: weightGrams,
    variant_title: variant,
    requires_shipping: isSent(product),
    type: 'product',
    product_id: product,
    variant_id: `${product}-${catalogue[product].variants.indexOf(variant) + 1}`,
  }
}

/** The lines of an order with what they amount to, its discount divided among them. */
export function pricedProducts(lines: readonly Line[], currency: Currency, discountPercent: number): Product[] {
  const { subTotal, discount } = totalsOf(lines, currency, discountPercent)
  let left = discount
  return lines.map((line, index) => {
    const line_subtotal = sum([priceOf(line.product, currency) * line.quantity])
    const share = index === lines.length - 1 ? left : round((discount * line_subtotal) / subTotal)
    left = round(left - share)
    return { ...toProduct(line, currency), line_subtotal, line_total: round(line_subtotal - share) }
  })
}

/** Gift cards are sent by e-mail. */
function isSent(product: Line['product']): boolean {
  return product !== 'card'
}

/** The totals of an order. Shipping is free from 100 euros. */
export function totalsOf(lines: readonly Line[], currency: Currency, discountPercent: number) {
  const subTotal = sum(lines.map(({ product, quantity }) => priceOf(product, currency) * quantity))
  const discount = round((subTotal * discountPercent) / 100)
  const isFree = subTotal - discount >= inCurrency(100, currency) || lines.every(({ product }) => !isSent(product))
  const shipping = isFree ? 0 : inCurrency(4.95, currency)
  return {
    subTotal,
    discount,
    shipping,
    total: round(subTotal - discount + shipping),
    weightGrams: sum(lines.map(({ product, quantity }) => catalogue[product].weightGrams * quantity)),
  }
}

/** Shops set prices per currency and do not convert them daily. */
const perEuro: Record<Currency, number> = { EUR: 1, GBP: 0.9, CHF: 1, SEK: 11.5, PLN: 4.3, USD: 1.1 }

function priceOf(product: Line['product'], currency: Currency): number {
  return inCurrency(catalogue[product].price, currency)
}

function inCurrency(euros: number, currency: Currency): number {
  return currency === 'EUR' ? euros : round(Math.ceil(euros * perEuro[currency]) - 0.05)
}

function item(title: string, price: number, weightGrams: number, variants: string[]): CatalogueItem {
  return { title, price, weightGrams, variants }
}

function sum(values: number[]): number {
  return round(values.reduce((total, value) => total + value, 0))
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100
}
