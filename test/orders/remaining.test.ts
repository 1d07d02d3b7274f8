import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/orders/orders/parts.ts'
import { hasNothingToSend, isDigital, isSameProduct, remainingProducts } from '../../src/orders/orders/remaining.ts'

const jacket: Product = { title: 'Rain jacket', sku: 'RJ-42', quantity: 2 }
const socks: Product = { title: 'Socks', sku: 'SO-1', quantity: 3 }
const voucher: Product = { title: 'Voucher', sku: 'V-1', quantity: 1, requires_shipping: false }
const parcel = (products: Product[] | null, fields: { direction?: string; tracking_number?: string | null } = {}) => ({
  tracking_number: 'P-1',
  direction: 'merchant_customer',
  products,
  ...fields,
})
const left = (ordered: Product[], ...parcels: ReturnType<typeof parcel>[]) =>
  remainingProducts(ordered, parcels)?.map(({ sku, quantity }) => `${quantity} ${sku}`)

describe('products that remain to be sent', () => {
  it('are what the parcels do not have, piece by piece', () => {
    expect(left([jacket, socks], parcel([{ ...jacket, quantity: 1 }]))).toEqual(['1 RJ-42', '3 SO-1'])
    expect(left([jacket, socks], parcel([jacket]), parcel([{ ...socks, quantity: 2 }]))).toEqual(['1 SO-1'])
    expect(left([jacket, socks], parcel([jacket, socks]))).toEqual([])
    expect(left([jacket], parcel([{ ...jacket, quantity: 5 }]))).toEqual([])
    expect(left([jacket, jacket], parcel([{ ...jacket, quantity: 3 }]))).toEqual(['1 RJ-42'])
  })

  it('count a product without a quantity as one', () => {
    const { quantity: _quantity, ...one } = jacket
    expect(left([jacket], parcel([one]))).toEqual(['1 RJ-42'])
    expect(left([one], parcel([]))).toEqual(['1 RJ-42'])
  })

  it('are no products without a parcel', () => {
    expect(left([jacket, voucher], parcel([]))).toEqual(['2 RJ-42'])
    const set: Product = { title: 'Set', sku: 'S', bundled_products: [voucher, jacket] }
    expect(left([set], parcel([]))).toEqual(['1 S'])
  })

  it('are unknown if nothing was sent, or if a parcel does not list its products', () => {
    expect(left([jacket])).toBeUndefined()
    expect(left([jacket], parcel([jacket], { tracking_number: null }))).toBeUndefined()
    expect(left([jacket], parcel([jacket]), parcel(null))).toBeUndefined()
  })

  it('do not depend on what comes back', () => {
    const back = { direction: 'customer_merchant' }
    expect(left([jacket], parcel([jacket], back))).toBeUndefined()
    expect(left([jacket, socks], parcel([jacket]), parcel([socks], back))).toEqual(['3 SO-1'])
    expect(left([jacket, socks], parcel([jacket]), parcel(null, back))).toEqual(['3 SO-1'])
  })
})

describe('nothing to send', () => {
  it.each<[name: string, products: Product[] | undefined, expected: boolean]>([
    ['no product is known', undefined, false],
    ['no product is listed', [], false],
    ['all are digital', [voucher, voucher], true],
    ['the others were removed', [voucher, { ...jacket, quantity: 0 }], true],
    ['one has to be sent', [voucher, jacket], false],
    ['one does not say', [voucher, { title: 'Mug' }], false],
    ['a bundle has digital products only', [{ title: 'Library', bundled_products: [voucher, voucher] }], true],
    ['a bundle has one that is sent', [{ title: 'Set', bundled_products: [voucher, jacket] }], false],
    ['a bundle is empty', [{ title: 'Set', bundled_products: [] }], false],
  ])('if %s: %s', (_name, products, expected) => {
    expect(hasNothingToSend(products === undefined ? {} : { products })).toBe(expected)
  })

  it('is decided by the product before its parts', () => {
    expect(isDigital({ title: 'Set', requires_shipping: true, bundled_products: [voucher] })).toBe(false)
    expect(isDigital({ title: 'Set', requires_shipping: false, bundled_products: [jacket] })).toBe(true)
  })
})

describe('two descriptions of a product', () => {
  it.each<[name: string, left: Product, right: Product, expected: boolean]>([
    ['the same variant', { variant_id: 'v1', title: 'A' }, { variant_id: 'v1', title: 'B' }, true],
    ['another variant of the same name', { variant_id: 'v1', title: 'A' }, { variant_id: 'v2', title: 'A' }, false],
    ['a variant as number and text', { variant_id: 1 }, { variant_id: '1' }, true],
    ['the same SKU', { sku: 'S', title: 'A' }, { sku: 'S', title: 'B' }, true],
    ['a SKU against a variant, with one title', { variant_id: 'v1', title: 'A' }, { sku: 'S', title: 'A' }, true],
    [
      'one product in two sizes',
      { product_id: 'p', variant_title: 'M' },
      { product_id: 'p', variant_title: 'L' },
      false,
    ],
    ['one product, whose size one does not say', { product_id: 'p', variant_title: 'M' }, { product_id: 'p' }, true],
    ['one title in two sizes', { title: 'A', variant_title: 'M' }, { title: 'A', variant_title: 'L' }, false],
    ['nothing in common', { sku: 'S' }, { title: 'A' }, false],
    ['nothing', {}, {}, false],
  ])('of %s: %#', (_name, left, right, expected) => {
    expect(isSameProduct(left, right)).toBe(expected)
    expect(isSameProduct(right, left)).toBe(expected)
  })
})
