import { describe, expect, it } from 'vitest'
import {
  completedAt,
  type DeliveredOrder,
  type DeliveredShipment,
  isExempt,
  isLate,
  periodOf,
} from '../../src/claims/withdrawals/rules.ts'
import type { ShopDays } from '../../src/platform/calendars/calendars.ts'

const parcel = (reachedAt: string | null, fields: Partial<DeliveredShipment> = {}): DeliveredShipment => ({
  direction: 'merchant_customer',
  phase: reachedAt === null ? 'in_transit' : 'delivered',
  reachedAt: reachedAt === null ? null : new Date(reachedAt),
  ...fields,
})

const order = (shipments: DeliveredShipment[], fields: Partial<DeliveredOrder> = {}): DeliveredOrder => ({
  placedAt: new Date('2026-01-02T10:00:00Z'),
  hasNothingToSend: false,
  expectedShipments: 1,
  country: null,
  shipments,
  ...fields,
})

const periodIn = (country: string | null, reachedAt: string, days = 14, shopDays: ShopDays = {}) =>
  periodOf(order([parcel(reachedAt)]), { period_days: days, country }, shopDays)

const lastDay = (country: string | null, reachedAt: string, days = 14, shopDays: ShopDays = {}) =>
  periodIn(country, reachedAt, days, shopDays).lastDay

describe('last day of the withdrawal period', () => {
  it.each([
    ['the day of delivery does not count', 'DE', '2026-11-03T10:00:00Z', '2026-11-17'],
    ['a Saturday moves to Monday', 'DE', '2026-11-07T10:00:00Z', '2026-11-23'],
    ['a Sunday moves to Monday', 'DE', '2026-11-08T10:00:00Z', '2026-11-23'],
    ['Christmas moves behind the weekend that follows', 'DE', '2026-12-11T10:00:00Z', '2026-12-28'],
    ["New Year's Day of the next year", 'FR', '2026-12-18T10:00:00Z', '2027-01-04'],
    ['Easter Monday', 'DE', '2026-03-23T10:00:00Z', '2026-04-07'],
    ['Good Friday is a working day where it is no holiday', 'FR', '2026-03-20T10:00:00Z', '2026-04-03'],
    ['Good Friday is none where it is one, and Easter follows', 'DE', '2026-03-20T10:00:00Z', '2026-04-07'],
    ['a holiday of another country does not count', 'AT', '2026-09-19T10:00:00Z', '2026-10-05'],
    ['the day of German unity', 'DE', '2025-09-19T10:00:00Z', '2025-10-06'],
    ['a leap day is a day', 'DE', '2028-02-15T10:00:00Z', '2028-02-29'],
    ['over a leap day', 'DE', '2028-02-16T10:00:00Z', '2028-03-01'],
    ['over the end of February in a common year', 'DE', '2027-02-16T10:00:00Z', '2027-03-02'],
    ['over the change to summer time', 'DE', '2026-03-25T22:30:00Z', '2026-04-08'],
    ['over the change to winter time', 'DE', '2026-10-20T10:00:00Z', '2026-11-03'],
    ['a country that is not known has weekends only', 'XX', '2026-12-11T10:00:00Z', '2026-12-25'],
    ['no country, the same', null, '2026-11-07T10:00:00Z', '2026-11-23'],
  ])('%s', (_name, country, reachedAt, expected) => {
    expect(lastDay(country, reachedAt)).toBe(expected)
  })

  it('is counted from the day in the time zone of the country', () => {
    // 23:30 UTC is the next day in Berlin, and half past one in Helsinki.
    expect(lastDay('DE', '2026-11-02T23:30:00Z')).toBe('2026-11-17')
    expect(lastDay('IE', '2026-11-02T23:30:00Z')).toBe('2026-11-16')
    expect(lastDay('FI', '2026-11-02T22:30:00Z')).toBe('2026-11-17')
  })

  it('is later if the shop gives more days', () => {
    expect(lastDay('DE', '2026-11-03T10:00:00Z', 30)).toBe('2026-12-03')
    expect(lastDay('DE', '2026-11-03T10:00:00Z', 100)).toBe('2027-02-11')
  })

  it("moves behind the shop's closed days, and never before a weekend or a holiday that the shop works on", () => {
    expect(lastDay('DE', '2026-11-03T10:00:00Z', 14, { closed: ['2026-11-17', '2026-11-18'] })).toBe('2026-11-19')
    expect(lastDay('DE', '2026-11-07T10:00:00Z', 14, { open: ['2026-11-21'], weekend: [7] })).toBe('2026-11-23')
  })

  it("is of the shop's country, and of the country that the order goes to if the shop names none", () => {
    const austrian = order([parcel('2026-10-12T10:00:00Z')], { country: 'AT' })
    expect(periodOf(austrian, { period_days: 14, country: null }, {})).toMatchObject({
      lastDay: '2026-10-27', // the 26th is the national day
      country: 'AT',
      timeZone: 'Europe/Vienna',
    })
    expect(periodOf(austrian, { period_days: 14, country: 'DE' }, {}).lastDay).toBe('2026-10-26')
  })

  it('ends with its last instant in the time zone, in summer and in winter', () => {
    expect(periodIn('DE', '2026-11-03T10:00:00Z').endsAt?.toISOString()).toBe('2026-11-17T22:59:59.999Z')
    expect(periodIn('DE', '2026-07-01T10:00:00Z').endsAt?.toISOString()).toBe('2026-07-15T21:59:59.999Z')
    // The last day is the day on which the clocks change: a Sunday, so that it ends on Monday.
    expect(periodIn('DE', '2026-10-11T10:00:00Z').endsAt?.toISOString()).toBe('2026-10-26T22:59:59.999Z')
  })

  it('counts until midnight there: a statement is late from then on', () => {
    const period = periodIn('DE', '2026-11-03T10:00:00Z')
    expect(isLate(period, new Date('2026-11-17T22:59:59Z'))).toBe(false)
    expect(isLate(period, new Date('2026-11-17T23:00:00Z'))).toBe(true)
  })
})

describe('start of the withdrawal period', () => {
  it('is when the last of several parcels arrived', () => {
    const parts = [parcel('2026-11-03T10:00:00Z'), parcel('2026-11-09T10:00:00Z'), parcel('2026-11-04T10:00:00Z')]
    expect(completedAt(order(parts, { expectedShipments: 3 }))?.toISOString()).toBe('2026-11-09T10:00:00.000Z')
  })

  it.each([
    ['a parcel is on its way', [parcel('2026-11-03T10:00:00Z'), parcel(null)], 1],
    ['a parcel is not sent yet', [parcel('2026-11-03T10:00:00Z'), parcel(null, { phase: 'order_created' })], 2],
    ['further parcels are expected', [parcel('2026-11-03T10:00:00Z')], 2],
    ['a parcel waits at a pick-up point', [parcel(null, { phase: 'collect' })], 1],
    ['a parcel went back before it arrived', [parcel(null, { phase: 'returned' })], 1],
    ['there is no parcel', [], 1],
    ['the only parcel was cancelled', [parcel(null, { phase: 'order_cancelled' })], 1],
  ])('is not known while %s; a statement is never late then', (_name, shipments, expectedShipments) => {
    const period = periodOf(order(shipments, { expectedShipments }), { period_days: 14, country: 'DE' }, {})
    expect(period).toMatchObject({ reachedOn: null, lastDay: null, endsAt: null })
    expect(isLate(period, new Date('2036-01-01T00:00:00Z'))).toBe(false)
  })

  it('does not wait for parcels that were cancelled or go back to the shop', () => {
    const back = parcel(null, { direction: 'customer_merchant' })
    const cancelled = parcel(null, { phase: 'order_cancelled' })
    const arrived = new Date('2026-11-03T10:00:00Z')
    expect(completedAt(order([parcel('2026-11-03T10:00:00Z'), back, cancelled]))).toEqual(arrived)
    // Nor is the period that of a parcel that reached the shop, or was cancelled after it had arrived.
    const later = [back, cancelled].map((one) => ({ ...one, reachedAt: new Date('2026-11-09T10:00:00Z') }))
    expect(completedAt(order([parcel('2026-11-03T10:00:00Z'), ...later]))).toEqual(arrived)
  })

  it('is the contract if nothing is sent', () => {
    const digital = order([], { hasNothingToSend: true, placedAt: new Date('2026-11-03T10:00:00Z') })
    expect(periodOf(digital, { period_days: 14, country: 'DE' }, {}).lastDay).toBe('2026-11-17')
  })
})

describe('exempt goods', () => {
  const settings = { exempt_categories: ['Made to measure', ' Food '] }
  it.each([
    [true, { withdrawal_exempt: true, category: null }],
    [true, { withdrawal_exempt: false, category: 'made to Measure ' }],
    [true, { withdrawal_exempt: false, category: 'food' }],
    [false, { withdrawal_exempt: false, category: 'Foodstuff' }],
    [false, { withdrawal_exempt: false, category: '' }],
    [false, { withdrawal_exempt: false, category: null }],
  ])('%s: %o', (expected, product) => {
    expect(isExempt(product, settings)).toBe(expected)
  })
})
