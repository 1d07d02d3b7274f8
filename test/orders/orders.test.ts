import { describe, expect, it } from 'vitest'
import {
  changedOrder,
  checkUpsert,
  checkZipCode,
  countryCodeOf,
  isSameOrder,
  newOrder,
  normaliseProduct,
  numbersOf,
  shippingMethodOf,
  statusOf,
  withAnalytics,
} from '../../src/orders/orders/rules.ts'
import type { GivenOrder, OrderUpsert } from '../../src/orders/orders/schema.ts'
import { ApiError } from '../../src/platform/foundation/errors.ts'

const now = new Date('2026-11-03T10:00:00Z')
const numbers = { orderNumber: '1001', externalId: 'e-1' }
const orderOf = (given: GivenOrder = {}) => newOrder(given, numbers, now)

/** The mistake as the caller reads it: the place and the key. */
function errorOf(check: () => unknown): { key: string; loc: unknown } | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { key: error.key, loc: error.problems[0]?.loc }
  }
}

describe('new order', () => {
  it('has defaults for what is not given', () => {
    expect(orderOf()).toEqual({
      ...numbers,
      orderName: null,
      emailId: null,
      zipCode: null,
      orderPlacedAt: now,
      expectedShipments: 1,
      hasNothingToSend: false,
      isHandedOverWithoutTracking: false,
      details: { discount_price: 0, currency: 'EUR', products: [], discounts: [] },
      analytics: {},
    })
  })

  it('keeps what is given, in fields of its own or in the details', () => {
    const order = orderOf({
      order_name: '#1001',
      email_id: 'ada@example.com',
      order_placed_at: '2026-11-01T09:30:00+01:00',
      expected_number_of_shipments: 0,
      currency: 'SEK',
      discount_price: 5,
      address: { name: 'Ada Example', zip_code: '10115', country_code: 'DE' },
    })
    expect(order).toMatchObject({
      orderName: '#1001',
      emailId: 'ada@example.com',
      orderPlacedAt: new Date('2026-11-01T08:30:00Z'),
      expectedShipments: 0,
      zipCode: '10115',
      details: { currency: 'SEK', discount_price: 5, address: { name: 'Ada Example', country_code: 'DE' } },
    })
    expect(Object.keys(order.details)).not.toContain('email_id')
  })

  it('stores promises and analytics apart from the details', () => {
    const order = orderOf({ order_analytics: { landing_site: '/sale' } })
    expect(order.analytics).toEqual({ landing_site: '/sale' })
    expect(order.details).not.toHaveProperty('order_analytics')
  })

  it('has amounts and ids as text, and only links that can be followed', () => {
    const { details } = orderOf({
      discounts: [{ code: 'TEN', amount: 10, type: 'order' }],
      products: [{ title: 'Jacket', product_id: 7, variant_id: 70, images: [{ src: 'javascript:alert(1)' }] }],
      order_status_url: 'javascript:alert(1)',
    })
    expect(details).toMatchObject({
      discounts: [{ code: 'TEN', amount: '10' }],
      products: [{ product_id: '7', variant_id: '70', images: [] }],
    })
    expect(details).not.toHaveProperty('order_status_url')
  })
})

describe('changed order', () => {
  const known = orderOf({
    order_name: '#1001',
    email_id: 'ada@example.com',
    expected_number_of_shipments: 3,
    currency: 'SEK',
    order_status_url: 'https://shop.example/orders/1001',
    address: { name: 'Ada Example', zip_code: '10115' },
    order_analytics: { landing_site: '/sale', source: 'mail' },
  })

  it('is none if nothing changes, whatever is given again', () => {
    expect(changedOrder(known, {})).toBeUndefined()
    expect(changedOrder(known, { order_name: '#1001', currency: 'SEK' })).toBeUndefined()
    expect(changedOrder(known, { order_name: null, email_id: null, currency: null })).toBeUndefined()
    expect(changedOrder(known, { order_status_url: 'javascript:alert(1)' })).toBeUndefined()
  })

  it('has what is given, and keeps the rest', () => {
    expect(changedOrder(known, { email_id: 'new@example.com' })).toEqual({ ...known, emailId: 'new@example.com' })
    expect(changedOrder(known, { expected_number_of_shipments: 0 })?.expectedShipments).toBe(0)
    expect(changedOrder(known, { order_number: '1002', external_id: 'e-2' })).toMatchObject({
      orderNumber: '1002',
      externalId: 'e-2',
    })
    expect(changedOrder(known, { order_placed_at: '2026-10-31' })?.orderPlacedAt).toEqual(new Date('2026-10-31'))
  })

  it('has a new address as a whole, and its zip code with it', () => {
    const moved = changedOrder(known, { address: { name: 'Ada Example', city: 'Dublin' } })
    expect(moved).toMatchObject({ zipCode: null, details: { address: { name: 'Ada Example', city: 'Dublin' } } })
    expect(changedOrder(known, { address: { zip_code: '10117' } })?.zipCode).toBe('10117')
    expect(changedOrder(known, { email_id: 'new@example.com' })?.zipCode).toBe('10115')
  })

  it('adds to the analytics instead of replacing them', () => {
    expect(changedOrder(known, { order_analytics: { source: 'search' } })?.analytics).toEqual({
      landing_site: '/sale',
      source: 'search',
    })
    expect(withAnalytics(known, null)).toBe(known)
    expect(withAnalytics(known, { source: 'search' }).analytics).toMatchObject({ landing_site: '/sale' })
  })

  it.each(['hasNothingToSend', 'isHandedOverWithoutTracking'] as const)('differs if %s does', (flag) => {
    expect(isSameOrder(known, { ...known })).toBe(true)
    expect(isSameOrder(known, { ...known, [flag]: true })).toBe(false)
  })
})

describe('status', () => {
  const outward = { direction: 'merchant_customer', tracking_number: 'OUT' }
  const draft = { direction: 'merchant_customer', tracking_number: null }
  const label = { direction: 'customer_merchant', tracking_number: 'BACK' }

  it.each<[name: string, shipments: (typeof draft | typeof outward)[], expected: number, status: string]>([
    ['nothing', [], 1, 'placed'],
    ['a draft', [draft], 1, 'placed'],
    ['a return label', [draft, label], 1, 'placed'],
    ["a partner's return label", [{ ...label, direction: 'customer_partner' }], 1, 'placed'],
    ['one of two', [outward, draft], 2, 'partially_fulfilled'],
    ['one of two, and a return label', [outward, draft, label], 2, 'partially_fulfilled'],
    ['both', [outward, { ...outward, direction: 'partner_customer' }], 2, 'fulfilled'],
    ['more than expected', [outward, outward], 1, 'fulfilled'],
    ['something that was not expected', [outward], 0, 'fulfilled'],
    ['nothing, as expected', [], 0, 'placed'],
  ])('after %s was sent', (_name, shipments, expected, status) => {
    expect(statusOf(shipments, expected)).toBe(status)
  })
})

describe('country and method', () => {
  it.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    [' at ', 'AT'],
    ['GB-NIR', 'GB'],
    ['Germany', null],
    ['D', null],
    ['', null],
    [undefined, null],
  ])('of %j is %j', (country_code, expected) => {
    expect(countryCodeOf({ details: { address: { country_code } } })).toBe(expected)
  })

  it('are none in an order without them', () => {
    expect(countryCodeOf({ details: {} })).toBeNull()
    expect(shippingMethodOf({ details: {} })).toBeNull()
    expect(shippingMethodOf({ details: { shipping_method: '' } })).toBeNull()
    expect(shippingMethodOf({ details: { shipping_method: 'Express' } })).toBe('Express')
  })
})

describe('line item', () => {
  it('keeps its usable images in their spelling, and what is no number', () => {
    const images = [{ src: 'https://shop.example/a b.jpg', alt: 'A' }, { src: '' }, { src: 'data:text/html,x' }]
    const item = normaliseProduct({ product_id: 'p', variant_id: null, images })
    expect(item).toMatchObject({ product_id: 'p', variant_id: null })
    expect(item.images).toEqual([{ src: expect.stringContaining('https://shop.example/a'), alt: 'A' }])
    expect(normaliseProduct({ title: 'Socks' })).toEqual({ title: 'Socks' })
    expect(normaliseProduct({ images: null })).toEqual({ images: null })
  })
})

describe('upsert', () => {
  const uuid = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
  const upsert = (fields: Partial<OrderUpsert>): OrderUpsert => ({ id: '1001', trackings: [], ...fields })

  it.each<[name: string, fields: Partial<OrderUpsert>]>([
    ['a number and the same number', { order: { order_number: '1001' } }],
    ['a number and another external id', { order: { external_id: 'e-1' } }],
    ['an external id and another number', { id_type: 'external_id', order: { order_number: '7' } }],
    ['a name that is null', { id_type: 'order_name', order: { order_name: null } }],
    ['a uuid and any number', { id: uuid, id_type: 'uuid', order: { order_number: '7' } }],
    ['no order', {}],
    ['an empty zip code', { order: { address: { zip_code: '' } } }],
  ])('may have %s', (_name, fields) => {
    expect(errorOf(() => checkUpsert(upsert(fields), ['body']))).toBeUndefined()
  })

  it.each<[name: string, fields: Partial<OrderUpsert>, loc: (string | number)[]]>([
    ['another number', { order: { order_number: '1002' } }, ['body', 4, 'order', 'order_number']],
    [
      'another external id',
      { id_type: 'external_id', order: { external_id: 'x' } },
      ['body', 4, 'order', 'external_id'],
    ],
    ['another name', { id_type: 'order_name', order: { order_name: '#2' } }, ['body', 4, 'order', 'order_name']],
    ['no uuid', { id_type: 'uuid' }, ['body', 4, 'id']],
  ])('is rejected with %s, at its place', (_name, fields, loc) => {
    expect(errorOf(() => checkUpsert(upsert(fields), ['body', 4]))).toEqual({ key: 'invalid_payload', loc })
  })

  it('names a new order by its number, and by its external id as far as there is one', () => {
    expect(numbersOf(upsert({}), {}, ['body'])).toEqual({ orderNumber: '1001', externalId: '1001' })
    expect(numbersOf(upsert({}), { external_id: 'e-1' }, ['body'])).toEqual({ orderNumber: '1001', externalId: 'e-1' })
    const byExternal = upsert({ id: 'e-9', id_type: 'external_id' })
    expect(numbersOf(byExternal, { order_number: '9' }, ['body'])).toEqual({ orderNumber: '9', externalId: 'e-9' })
    const byName = upsert({ id: '#9', id_type: 'order_name' })
    expect(numbersOf(byName, { order_number: '9' }, ['body'])).toEqual({ orderNumber: '9', externalId: '9' })
    expect(errorOf(() => numbersOf(byName, {}, ['body', 2]))).toEqual({
      key: 'invalid_payload',
      loc: ['body', 2, 'order', 'order_number'],
    })
  })
})

describe('zip code', () => {
  const problemOf = (zip_code: string | null | undefined) => errorOf(() => checkZipCode({ zip_code }, ['zip']))?.key

  it.each([undefined, null, '', '10115', 'SW1A 1AA', '1234-567', 'Ж123', '一'.repeat(20), '1'])('may be %j', (zip) => {
    expect(problemOf(zip)).toBeUndefined()
  })

  it.each([' ', '-', '---', '1\n2', '1\u0000', '1'.repeat(21)])('must not be %j', (zip) => {
    expect(problemOf(zip)).toBe('zip_code_invalid')
  })

  it('is not needed, nor is an address', () => {
    expect(errorOf(() => checkZipCode(null, []))).toBeUndefined()
    expect(errorOf(() => checkZipCode(undefined, []))).toBeUndefined()
  })
})
