import { describe, expect, it } from 'vitest'
import { defaultSettings, type PromiseMethod, type Warehouse } from '../../src/orders/promises/settings.ts'
import { ApiError } from '../../src/platform/foundation/errors.ts'
import type { PromiseSettingsUpdate } from '../../src/promises/schema.ts'
import { changeSettings } from '../../src/promises/settings-rules.ts'

const warehouse: Warehouse = {
  name: 'Berlin',
  country_code: 'DE',
  timezone: 'Europe/Berlin',
  cut_offs: { 1: '14:00' },
  handling_days: 1,
  closed_days: [],
}
const method: PromiseMethod = {
  name: 'Standard',
  warehouse: 'Berlin',
  carrier_reference: 'dhl',
  service: null,
  countries: null,
  shipping_classes: null,
  table_days: null,
}
const bulky = { name: 'bulky', handling_days: 2, products: ['SOFA'] }
const known = { ...defaultSettings, warehouses: [warehouse], shipping_classes: [bulky], methods: [method] }

const change = (update: PromiseSettingsUpdate, before = known) => changeSettings(before, update)

function problemOf(update: PromiseSettingsUpdate, before = known): string {
  try {
    change(update, before)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [problem] = error.problems
    return `${error.key} ${problem?.loc.join('.')}: ${problem?.msg}`
  }
  return 'none'
}

describe('settings of promises', () => {
  it('keep what an update does not name', () => {
    expect(change({})).toEqual(known)
    expect(change({ percentile: 0.8 })).toEqual({ ...known, percentile: 0.8 })
    expect(change({ at_risk_below: 0 })).toEqual({ ...known, at_risk_below: 0 })
    expect(change({ methods: [] })).toEqual({ ...known, methods: [] })
  })

  it('are stored in our spelling', () => {
    const settings = change({
      warehouses: [{ ...warehouse, name: ' Berlin ', country_code: 'de', closed_days: ['2026-12-31', '2026-12-24'] }],
      shipping_classes: [{ name: ' bulky', handling_days: 2, products: ['SOFA ', 'SOFA', 'BED'] }],
      methods: [
        {
          ...method,
          name: 'Standard ',
          warehouse: 'Berlin ',
          carrier_reference: 'DHL',
          service: ' ',
          countries: ['de', 'DE', 'at'],
          shipping_classes: ['bulky '],
          table_days: { min: 2, max: 2 },
        },
      ],
    })
    expect(settings.warehouses).toMatchObject([
      { name: 'Berlin', country_code: 'DE', closed_days: ['2026-12-24', '2026-12-31'] },
    ])
    expect(settings.shipping_classes).toEqual([{ name: 'bulky', handling_days: 2, products: ['SOFA', 'BED'] }])
    expect(settings.methods).toEqual([
      {
        name: 'Standard',
        warehouse: 'Berlin',
        carrier_reference: 'dhl',
        service: null,
        countries: ['DE', 'AT'],
        shipping_classes: ['bulky'],
        table_days: { min: 2, max: 2 },
      },
    ])
  })

  it.each<[problem: string, update: PromiseSettingsUpdate]>([
    ['warehouses.0.timezone: must be the name', { warehouses: [{ ...warehouse, timezone: '+01:00' }] }],
    ['warehouses.0.timezone: must be the name', { warehouses: [{ ...warehouse, timezone: 'Europe/Atlantis' }] }],
    ['warehouses.0.cut_offs.8: is not a weekday', { warehouses: [{ ...warehouse, cut_offs: { 8: '14:00' } }] }],
    ['warehouses.0.cut_offs.0: is not a weekday', { warehouses: [{ ...warehouse, cut_offs: { 0: '14:00' } }] }],
    ['warehouses.1.name: is listed twice', { warehouses: [warehouse, { ...warehouse, name: 'BERLIN ' }] }],
    ['shipping_classes.1.name: is listed twice', { shipping_classes: [bulky, { ...bulky, name: 'Bulky' }] }],
    ['methods.1.name: is listed twice', { methods: [method, method] }],
    ['methods.0.table_days.max: must not be less', { methods: [{ ...method, table_days: { min: 3, max: 2 } }] }],
    ['methods.0.warehouse: is not one of', { methods: [{ ...method, warehouse: 'Hamburg' }] }],
    ['methods.0.shipping_classes.1: is not one', { methods: [{ ...method, shipping_classes: ['bulky', 'cold'] }] }],
    ['warehouses: must contain Berlin', { warehouses: [] }],
  ])('are rejected: %s', (problem, update) => {
    expect(problemOf(update)).toContain(`invalid_payload body.${problem}`)
  })

  it('are rejected with a carrier that is not known', () => {
    const methods = [method, { ...method, name: 'Other', carrier_reference: 'pigeon' }]
    expect(problemOf({ methods })).toContain('carrier_reference_invalid body.methods.1.carrier_reference')
    expect(problemOf({ methods: [{ ...method, carrier_reference: null }] })).toBe('none')
  })

  it('name the class that a method still needs', () => {
    const using = { ...known, methods: [{ ...method, shipping_classes: ['bulky'] }] }
    expect(problemOf({ shipping_classes: [] }, using)).toContain('body.shipping_classes: must contain bulky')
    expect(problemOf({ shipping_classes: [], methods: [] }, using)).toBe('none')
  })
})
