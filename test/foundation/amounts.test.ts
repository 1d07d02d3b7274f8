import { describe, expect, it } from 'vitest'
import { toClaimedItem } from '../../src/claims/claims/form-items.ts'
import { netInvoiceAmount, toStoredDetails } from '../../src/claims/claims/rules.ts'
import { decimalsOf, partOf, roundAmount, sumOf } from '../../src/platform/foundation/amounts.ts'

describe('amounts', () => {
  it('have the decimals of their currency', () => {
    expect(['EUR', 'JPY', 'KWD', 'nonsense', null].map(decimalsOf)).toEqual([2, 0, 3, 2, 2])
  })

  it('are rounded half away from zero, and added without noise', () => {
    expect([1.005, -1.005, 8.345, 0.5].map((amount) => roundAmount(amount, 2))).toEqual([1.01, -1.01, 8.35, 0.5])
    expect(sumOf([84, 7.49, -9.15, 4.9])).toBe(87.24)
    expect(Object.is(sumOf([-0.00001]), 0)).toBe(true)
  })

  it.each([
    [10, 3, 'EUR', [3.33, 3.34, 3.33]],
    [75.59, 2, 'EUR', [37.8, 37.79]],
    [1_000, 3, 'JPY', [333, 334, 333]],
    [0.01, 3, 'EUR', [0, 0.01, 0]],
    [-10, 3, 'EUR', [-3.33, -3.34, -3.33]],
  ])('of %d in %d pieces of %s add up', (amount, of, currency, expected) => {
    const pieces = expected.map((_piece, before) => partOf(amount, { of, count: 1, before }, currency))
    expect(pieces).toEqual(expected)
    expect(sumOf(pieces)).toBe(amount)
  })
})

describe('claimed item', () => {
  const line = {
    quantity: 2,
    currency: 'EUR',
    product: { title: 'Felt hat', quantity: 2, price: 42, line_subtotal: 84, line_total: 75.59 },
  }

  it('is worth its share of what the line was sold for', () => {
    expect(toClaimedItem(line, 1)).toMatchObject({ quantity: 1, net_price: 37.8, line_total: 37.8 })
    expect(toClaimedItem(line, 1, 1)).toMatchObject({ quantity: 1, net_price: 37.79, line_total: 37.79 })
    expect(toClaimedItem(line, 2)).toMatchObject({ quantity: 2, line_total: 75.59 })
  })

  it('makes the proposed refund exact', () => {
    const details = toStoredDetails({ selected_items: [toClaimedItem(line, 2)] })
    expect(netInvoiceAmount(details, { total: 87.24, shipping: 4.9 })).toBe(75.59)
  })

  it('of an order without amounts of its lines has the price of a piece', () => {
    const item = toClaimedItem({ ...line, product: { title: 'Felt hat', price: 42 } }, 2)
    expect(item).not.toHaveProperty('line_total')
    expect(netInvoiceAmount(toStoredDetails({ selected_items: [item] }), { total: null, shipping: null })).toBe(84)
  })
})
