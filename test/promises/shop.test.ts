import { describe, expect, it } from 'vitest'
import { defaultSettings, type PromiseMethod, type Warehouse } from '../../src/orders/promises/settings.ts'
import { calendarOf } from '../../src/platform/calendars/calendars.ts'
import { addWorkingDays, prepareShop, serves } from '../../src/promises/shop-rules.ts'

const warehouse: Warehouse = {
  name: 'Berlin',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  cut_offs: { 1: '14:00' },
  handling_days: 1,
  closed_days: [],
}
const method = (fields: Partial<PromiseMethod> = {}): PromiseMethod => ({
  name: 'Standard',
  warehouse: 'Berlin',
  carrier_reference: 'dhl',
  service: null,
  countries: null,
  shipping_classes: null,
  table_days: null,
  ...fields,
})
const shopOf = (methods: PromiseMethod[]) =>
  prepareShop(
    {
      ...defaultSettings,
      warehouses: [warehouse],
      methods,
      shipping_classes: [
        { name: 'bulky', handling_days: 2, products: ['SOFA', 'BED'] },
        { name: 'cold', handling_days: 0, products: ['BED'] },
      ],
    },
    { weekend: [7] },
  )
const served = (fields: Partial<PromiseMethod>, country: string, ...classes: string[]) => {
  const [prepared] = shopOf([method(fields)]).methods
  if (prepared === undefined) throw new Error('no method was prepared')
  return serves(prepared, country, new Set(classes))
}

describe('prepared shop', () => {
  it('has each method with its warehouse and the name of its carrier', () => {
    const { methods } = shopOf([method(), method({ carrier_reference: null }), method({ warehouse: 'Closed' })])
    expect(methods).toMatchObject([
      { carrierName: 'DHL', originCountry: 'DE', handlingDays: 1, countries: null, classes: null },
      { carrierName: null, originCountry: 'DE' },
    ])
  })

  it('knows every class of a product, and what each adds', () => {
    const { classesOfProduct, handlingOfClass } = shopOf([])
    expect([...classesOfProduct]).toEqual([
      ['SOFA', ['bulky']],
      ['BED', ['bulky', 'cold']],
    ])
    expect([...handlingOfClass]).toEqual([
      ['bulky', 2],
      ['cold', 0],
    ])
  })

  it("counts in each country by its holidays and the shop's days", () => {
    const shop = shopOf([])
    // A Saturday counts, because the shop has Sundays off only; the national day of Austria does not.
    expect(shop.calendar('DE').isWorkingDay('2026-10-24')).toBe(true)
    expect(shop.calendar('DE').isWorkingDay('2026-10-26')).toBe(true)
    expect(shop.calendar('AT').isWorkingDay('2026-10-26')).toBe(false)
    expect(shop.calendar('AT')).toBe(shop.calendar('AT'))
  })
})

describe('method', () => {
  it('for some countries serves these only', () => {
    expect(served({ countries: ['DE', 'AT'] }, 'AT')).toBe(true)
    expect(served({ countries: ['DE', 'AT'] }, 'FR')).toBe(false)
    expect(served({ countries: [] }, 'DE')).toBe(false)
    expect(served({}, 'FR')).toBe(true)
  })

  it('for some classes serves goods of these only, all of them', () => {
    const bulky = { shipping_classes: ['bulky'] }
    expect(served(bulky, 'DE', 'bulky')).toBe(true)
    expect(served(bulky, 'DE', 'bulky', 'cold')).toBe(false)
    expect(served(bulky, 'DE')).toBe(false)
    expect(served({}, 'DE', 'bulky', 'cold')).toBe(true)
    expect(served({ ...bulky, countries: ['DE'] }, 'FR', 'bulky')).toBe(false)
  })
})

describe('working days later', () => {
  it.each([
    ['DE', '2026-11-02', 0, '2026-11-02'],
    ['DE', '2026-11-02', 1, '2026-11-03'],
    ['DE', '2026-11-06', 1, '2026-11-09'],
    ['DE', '2026-11-08', 1, '2026-11-09'],
    ['DE', '2026-12-23', 3, '2026-12-29'],
    ['AT', '2026-10-23', 1, '2026-10-27'],
  ])('in %s, %s and %i more are %s', (country, date, count, expected) => {
    expect(addWorkingDays(calendarOf(country), date, count)).toBe(expected)
  })

  it('come to an end even if nothing ever arrives', () => {
    const never = calendarOf(null, { weekend: [1, 2, 3, 4, 5, 6, 7] })
    expect(addWorkingDays(never, '2026-11-02', 3)).toBe('2026-12-22')
  })
})
