import { describe, expect, it } from 'vitest'
import {
  describeTransitions,
  isAllowedTransition,
  mapImageUrls,
  netInvoiceAmount,
  toStoredDetails,
} from '../../src/claims/claims/rules.ts'
import { type ClaimDetails, claimStatuses } from '../../src/claims/claims/schema.ts'

const stored = (details: ClaimDetails) => toStoredDetails(details)
const item = (fields: Record<string, unknown> = {}) => ({ sku: 'RJ-42', title: 'Jacket', quantity: 1, ...fields })

describe('status of a claim', () => {
  it('moves to what may follow, and stays what it is', () => {
    const allowed = claimStatuses.flatMap((from) =>
      claimStatuses.filter((to) => from !== to && isAllowedTransition(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(allowed.sort()).toEqual([
      'accepted → closed',
      'pending → accepted',
      'pending → closed',
      'pending → rejected',
      'rejected → closed',
      'rejected → pending',
    ])
    for (const status of claimStatuses) expect(isAllowedTransition(status, status)).toBe(true)
  })

  it('names what may follow', () => {
    expect(describeTransitions('rejected')).toBe('a claim that is rejected can become pending, closed')
    expect(describeTransitions('closed')).toBe('a claim that is closed cannot change')
  })
})

describe('stored details of a claim', () => {
  it('have every field, empty if it was not given', () => {
    expect(stored({})).toEqual({
      customer_signature_image_url: null,
      selected_items: [],
      damaged_product_items: [],
      image_urls: [],
      optional_image_urls: [],
      dropoff_permission: null,
      step_user_input: null,
    })
  })

  it('keep what was given, a no and unpriced items included', () => {
    expect(
      stored({
        dropoff_permission: false,
        selected_items: [item({ quantity: undefined, net_price: 0, line_total: 0 })],
      }),
    ).toMatchObject({
      dropoff_permission: false,
      selected_items: [{ sku: 'RJ-42', quantity: 1, net_price: 0, line_total: 0, image_urls: [] }],
    })
    expect(stored({ selected_items: [item()] }).selected_items).toEqual([
      { sku: 'RJ-42', title: 'Jacket', quantity: 1, net_price: null, image_urls: [] },
    ])
  })

  it('drop addresses that cannot be opened, and keep the others', () => {
    const urls = ['https://images.example/1.png', 'javascript:alert(1)', 'no address']
    const details = stored({
      image_urls: urls,
      optional_image_urls: urls,
      customer_signature_image_url: 'javascript:alert(1)',
      damaged_product_items: [item({ image_urls: urls })],
    })
    expect(details.image_urls).toEqual([urls[0]])
    expect(details.optional_image_urls).toEqual([urls[0]])
    expect(details.customer_signature_image_url).toBeNull()
    expect(details.damaged_product_items[0]?.image_urls).toEqual([urls[0]])
  })
})

describe('image addresses of a claim', () => {
  it('are changed wherever they are, and left out if they are none', () => {
    const urls = ['https://images.example/1.png']
    const details = {
      ...stored({
        image_urls: urls,
        optional_image_urls: urls,
        customer_signature_image_url: urls[0],
        selected_items: [item({ image_urls: urls })],
        damaged_product_items: [item({ image_urls: urls })],
      }),
      optional_image_urls: [...urls, 'stored before addresses were checked'],
    }
    const signed = mapImageUrls(details, (url) => `${url}?signed`)
    const expected = ['https://images.example/1.png?signed']
    expect(signed).toMatchObject({
      image_urls: expected,
      optional_image_urls: expected,
      customer_signature_image_url: expected[0],
      selected_items: [{ image_urls: expected }],
      damaged_product_items: [{ image_urls: expected }],
    })
    const unsigned = { ...details, customer_signature_image_url: 'no address' }
    expect(mapImageUrls(unsigned, (url) => url).customer_signature_image_url).toBeNull()
  })
})

describe('value of a claim', () => {
  const order = { total: 94.85, shipping: 4.95 }
  const value = (details: ClaimDetails, of: { total: number | null; shipping: number | null } = order) =>
    netInvoiceAmount(stored(details), of)

  it('is that of its items', () => {
    expect(value({ selected_items: [item({ net_price: 10.1, quantity: 3 }), item({ net_price: 0.1 })] })).toBe(30.4)
    expect(value({ selected_items: [item({ net_price: 10, quantity: 3, line_total: 29.99 })] })).toBe(29.99)
    expect(value({ selected_items: [item({ line_total: 0, net_price: 5 })] })).toBe(0)
    expect(value({ selected_items: [item(), item({ net_price: 5 })] })).toBe(5)
  })

  it('is that of the damaged ones if no other was selected', () => {
    const damaged_product_items = [item({ net_price: 7 })]
    expect(value({ damaged_product_items })).toBe(7)
    expect(value({ damaged_product_items, selected_items: [item({ net_price: 5 })] })).toBe(5)
  })

  it('is that of the order without shipping if no item has a price', () => {
    expect(value({})).toBe(89.9)
    expect(value({ selected_items: [item()] })).toBe(89.9)
    expect(value({}, { total: 94.85, shipping: null })).toBe(94.85)
    expect(value({}, { total: null, shipping: 4.95 })).toBeNull()
  })
})
