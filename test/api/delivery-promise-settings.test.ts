import { describe, expect, it } from 'vitest'
import { deliverParcels, leipzig, setPromises, standard } from '../harness/promises.ts'
import { makeShop } from '../harness/shop.ts'

const path = '/delivery-promises/settings'
const bulky = { name: 'bulky', handling_days: 2, products: ['SKU-1'] }

describe('the settings of delivery promises', () => {
  it('have a percentile and no methods until they are set', async () => {
    const shop = await makeShop()
    expect((await shop.as('viewer').get(path)).body).toEqual({
      percentile: 0.9,
      at_risk_below: 0.5,
      warehouses: [],
      shipping_classes: [],
      methods: [],
      suggestions: [],
    })
  })

  it('are changed by an admin, each list as a whole, and recorded in the audit log', async () => {
    const shop = await makeShop()
    const given = {
      percentile: 0.8,
      warehouses: [{ ...leipzig, name: ' Leipzig ', country_code: 'de', closed_days: ['2026-12-31', '2026-12-24'] }],
      shipping_classes: [bulky],
      methods: [{ ...standard, carrier_reference: 'DHL', countries: ['de', 'AT', 'DE'], shipping_classes: ['bulky'] }],
    }
    expect((await shop.as('editor').patch(path, given)).status).toBe(403)
    const kept = {
      percentile: 0.8,
      at_risk_below: 0.5,
      warehouses: [{ ...leipzig, closed_days: ['2026-12-24', '2026-12-31'] }],
      shipping_classes: [bulky],
      methods: [{ ...standard, shipping_classes: ['bulky'] }],
      suggestions: [],
    }
    expect((await shop.as('admin').patch(path, given)).body).toEqual(kept)
    expect((await shop.as('viewer').get(path)).body).toEqual(kept)

    const express = { ...standard, name: 'Express', table_days: null }
    const { body } = await shop.as('admin').patch(path, { at_risk_below: 0.3, methods: [express] })
    expect(body).toEqual({ ...kept, at_risk_below: 0.3, methods: [express] })
    const { body: log } = await shop.as('admin').get('/audit-log', { area: 'Delivery promises' })
    expect(log).toMatchObject([
      { action: 'updatePromiseSettings', subject: { kind: 'settings', id: 'delivery-promises' } },
      { action: 'updatePromiseSettings', changes: { percentile: { before: 0.9, after: 0.8 } } },
    ])
  })

  it('say what is wrong with them, and where', async () => {
    const shop = await makeShop()
    await setPromises(shop, { warehouses: [leipzig], shipping_classes: [bulky], methods: [standard] })
    const problemOf = async (change: object) => {
      const { status, body } = await shop.as('admin').patch(path, change)
      expect(status).toBe(422)
      return `${body.errors[0].loc.join('.')} ${body.errors[0].msg}`
    }
    const warehouse = (change: object) => problemOf({ warehouses: [{ ...leipzig, ...change }] })
    const method = (change: object) => problemOf({ methods: [{ ...standard, ...change }] })

    expect(await warehouse({ timezone: 'Europe/Leipzig' })).toMatch(/^body\.warehouses\.0\.timezone must be the name/)
    expect(await warehouse({ timezone: '+01:00' })).toMatch(/^body\.warehouses\.0\.timezone must be the name/)
    expect(await warehouse({ cut_offs: { '1': '24:00' } })).toMatch(/^body\.warehouses\.0\.cut_offs\.1 /)
    expect(await warehouse({ cut_offs: { '1': '9:00' } })).toMatch(/^body\.warehouses\.0\.cut_offs\.1 /)
    expect(await warehouse({ cut_offs: { '8': '09:00' } })).toMatch(
      /^body\.warehouses\.0\.cut_offs\.8 is not a weekday/,
    )
    expect(await warehouse({ cut_offs: {} })).toMatch(/^body\.warehouses\.0\.cut_offs/)
    expect(await warehouse({ closed_days: ['2026-02-30'] })).toMatch(/^body\.warehouses\.0\.closed_days\.0 /)
    expect(await warehouse({ handling_days: -1 })).toMatch(/^body\.warehouses\.0\.handling_days /)
    expect(await warehouse({ name: 'Halle' })).toBe('body.warehouses must contain Leipzig: the method Standard uses it')
    expect(await problemOf({ warehouses: [leipzig, { ...leipzig, name: 'LEIPZIG' }] })).toBe(
      'body.warehouses.1.name is listed twice',
    )
    expect(await method({ warehouse: 'Halle' })).toBe('body.methods.0.warehouse is not one of the warehouses')
    expect(await method({ shipping_classes: ['bulky', 'frozen'] })).toBe(
      'body.methods.0.shipping_classes.1 is not one of the shipping classes',
    )
    expect(await method({ carrier_reference: 'nobody' })).toMatch(/^body\.methods\.0\.carrier_reference is not a known/)
    expect(await method({ table_days: { min: 3, max: 2 } })).toBe(
      'body.methods.0.table_days.max must not be less than min',
    )
    expect(await method({ countries: ['Germany'] })).toMatch(/^body\.methods\.0\.countries/)
    expect(await problemOf({ percentile: 1 })).toMatch(/^body\.percentile /)

    const onlyForBulky = { ...standard, shipping_classes: ['bulky'] }
    await setPromises(shop, { methods: [onlyForBulky] })
    expect(await problemOf({ shipping_classes: [] })).toBe(
      'body.shipping_classes must contain bulky: the method Standard uses it',
    )
    expect((await shop.as('viewer').get(path)).body).toMatchObject({ methods: [onlyForBulky], percentile: 0.9 })
  })

  it('are limited in number', async () => {
    const shop = await makeShop()
    const many = (count: number, item: object) =>
      Array.from({ length: count }, (_, index) => ({ ...item, name: `number ${index}` }))
    const products = (count: number) => Array.from({ length: count }, (_, index) => `SKU-${index}`)
    const statusOf = async (change: object) => (await shop.as('admin').patch(path, change)).status

    expect(await statusOf({ warehouses: many(21, leipzig) })).toBe(422)
    expect(await statusOf({ warehouses: [leipzig, ...many(19, leipzig)] })).toBe(200)
    expect(await statusOf({ shipping_classes: many(51, bulky) })).toBe(422)
    expect(await statusOf({ shipping_classes: [{ ...bulky, products: products(1_001) }] })).toBe(422)
    expect(await statusOf({ shipping_classes: many(50, { ...bulky, products: products(1_000) }) })).toBe(200)
    expect(await statusOf({ methods: many(201, standard) })).toBe(422)
    expect(await statusOf({ methods: many(200, standard) })).toBe(200)
  })

  it('suggest methods from how parcels were sent', async () => {
    const shop = await makeShop()
    await deliverParcels(shop.as('editor'), [1, 2], { country: 'AT' })
    await deliverParcels(shop.as('editor'), [1])
    await deliverParcels(shop.as('editor'), [2], { carrier: 'ups', service: 'UPS Express Saver' })
    expect((await shop.as('viewer').get(path)).body.suggestions).toEqual([
      {
        carrier_reference: 'dhl',
        carrier_name: 'DHL',
        service: 'DHL Paket',
        countries: ['AT', 'DE'],
        parcels: 3,
      },
      {
        carrier_reference: 'ups',
        carrier_name: 'UPS',
        service: 'UPS Express Saver',
        countries: ['DE'],
        parcels: 1,
      },
    ])
  })

  it('are those of one shop', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    await setPromises(shop, { warehouses: [leipzig], methods: [standard] })
    expect((await other.as('viewer').get(path)).body.methods).toEqual([])
  })
})
