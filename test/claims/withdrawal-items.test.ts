import { describe, expect, it } from 'vitest'
import {
  everything,
  isWholeOrder,
  itemsOf,
  type KnownProduct,
  toClaimedItems,
} from '../../src/claims/withdrawals/items.ts'

const settings = { exempt_categories: ['Food'] }

const known = (variant_id: string, fields: Partial<KnownProduct> = {}): KnownProduct => ({
  product_id: 'tea',
  variant_id,
  category: null,
  withdrawal_exempt: false,
  ...fields,
})

const order = (...variants: string[]) => ({
  currency: 'EUR',
  products: variants.map((variant_id) => ({ product_id: 'tea', variant_id, title: `Tea ${variant_id}`, quantity: 2 })),
})

const exemptions = (variants: string[], catalogue: KnownProduct[]) =>
  itemsOf(order(...variants), catalogue, settings, []).map(({ isExempt }) => isExempt)

describe('exemption of an item', () => {
  it('is that of its own variant', () => {
    const catalogue = [known('opened', { withdrawal_exempt: true }), known('sealed')]
    expect(exemptions(['opened', 'sealed'], catalogue)).toEqual([true, false])
    const byCategory = [known('opened', { category: 'food' }), known('sealed', { category: 'cups' })]
    expect(exemptions(['opened', 'sealed'], byCategory)).toEqual([true, false])
  })

  it('is that of any variant if its own is not in the catalogue', () => {
    const catalogue = [known('opened', { withdrawal_exempt: true }), known('sealed')]
    expect(exemptions(['new'], catalogue)).toEqual([true])
    expect(exemptions(['new'], [known('sealed')])).toEqual([false])
  })

  it('is none for another product, and without a catalogue', () => {
    const other = known('opened', { product_id: 'coffee', withdrawal_exempt: true })
    expect(exemptions(['opened'], [other])).toEqual([false])
    expect(exemptions(['opened'], [])).toEqual([false])
  })
})

describe('items that can still be withdrawn from', () => {
  const catalogue = [known('opened', { withdrawal_exempt: true })]
  const items = itemsOf(
    order('sealed', 'opened', 'boxed'),
    [...catalogue, known('sealed'), known('boxed')],
    settings,
    [],
  )
  const [sealed, opened, boxed] = items.map(({ key }) => key) as [string, string, string] // of three products

  const after = (withdrawn: { key: string; quantity: number }[]) =>
    itemsOf(order('sealed', 'opened', 'boxed'), [...catalogue, known('sealed'), known('boxed')], settings, withdrawn)

  it('are those that are not exempt, less what was withdrawn before', () => {
    expect(items.map(({ remaining }) => remaining)).toEqual([2, 0, 2])
    expect(after([{ key: sealed, quantity: 1 }]).map(({ remaining }) => remaining)).toEqual([1, 0, 2])
    const more = [sealed, sealed, sealed].map((key) => ({ key, quantity: 1 }))
    expect(after(more).map(({ remaining }) => remaining)).toEqual([0, 0, 2])
    expect(everything(after([{ key: sealed, quantity: 1 }]))).toEqual([
      { key: sealed, quantity: 1 },
      { key: boxed, quantity: 2 },
    ])
  })

  it('are claimed at most as often as they remain, and at least once', () => {
    const once = after([{ key: sealed, quantity: 1 }])
    expect(toClaimedItems(once, [{ key: sealed, quantity: 1 }])).toMatchObject([{ title: 'Tea sealed', quantity: 1 }])
    for (const wrong of [
      { key: sealed, quantity: 2 },
      { key: sealed, quantity: 0 },
      { key: opened, quantity: 1 },
      { key: 'unknown', quantity: 1 },
    ]) {
      expect(toClaimedItems(once, [{ key: boxed, quantity: 1 }, wrong])).toBeUndefined()
    }
  })

  it('are the whole order only with every piece of every line', () => {
    const whole = [sealed, opened, boxed].map((key) => ({ key, quantity: 2 }))
    expect(isWholeOrder(items, whole)).toBe(true)
    expect(isWholeOrder(items, whole.slice(1))).toBe(false)
    expect(isWholeOrder(items, [{ key: sealed, quantity: 1 }, ...whole.slice(1)])).toBe(false)
  })
})
