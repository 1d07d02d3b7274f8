import { describe, expect, it } from 'vitest'
import { localizedTitle, toProductRecords } from '../../src/orders/products/rules.ts'

describe('stored product', () => {
  it('has every field, empty if it was not given', () => {
    expect(toProductRecords([{ product_id: 7, variant_id: '70', title: 'Jacket' }])).toEqual([
      {
        product_id: '7',
        variant_id: '70',
        title: 'Jacket',
        variant_title: null,
        price: null,
        sku: null,
        product_url: null,
        image_url: null,
        category: null,
        withdrawal_exempt: null,
        translations: {},
      },
    ])
  })

  it('keeps a price of nothing, and a no', () => {
    const [record] = toProductRecords([
      { product_id: '7', variant_id: '70', title: 'Sample', price: 0, withdrawal_exempt: false },
    ])
    expect(record).toMatchObject({ price: 0, withdrawal_exempt: false })
  })

  it('is the last one of a variant, and one for each variant', () => {
    const of = (product_id: string | number, variant_id: string, title: string) => ({ product_id, variant_id, title })
    const records = toProductRecords([of(1, '1', 'a'), of('1', '1', 'b'), of('1', '2', 'c'), of('1,"1', '', 'd')])
    expect(records.map(({ title }) => title)).toEqual(['b', 'c', 'd'])
  })

  it('has translations with a title only', () => {
    const translations = { de: { title: 'Jacke' }, fr: { title: '' }, sv: null }
    const [record] = toProductRecords([{ product_id: '7', variant_id: '70', title: 'Jacket', translations }])
    expect(record?.translations).toEqual({ de: { title: 'Jacke' } })
  })
})

describe('title of a product', () => {
  const product = { title: 'Jacket', translations: { de: { title: 'Jacke' }, el: { title: 'Μπουφάν' } } }

  it('is in the language of the reader, or as it was written', () => {
    expect(localizedTitle(product, 'de-AT', 'en')).toBe('Jacke')
    expect(localizedTitle(product, 'fr', 'en')).toBe('Jacket')
    expect(localizedTitle(product, undefined, 'en')).toBe('Jacket')
    expect(localizedTitle(product, 'el', 'en')).toBe('Μπουφάν')
    expect(localizedTitle(product, 'gr', 'en')).toBe('Μπουφάν')
  })

  it('is as it was written for who prefers the language of the shop', () => {
    expect(localizedTitle(product, 'en, de;q=0.5', 'en')).toBe('Jacket')
    expect(localizedTitle(product, 'fr, de;q=0.5', 'en')).toBe('Jacke')
  })
})
