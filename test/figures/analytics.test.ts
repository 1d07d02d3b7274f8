import { describe, expect, it } from 'vitest'
import type { CarrierFigures, DayFigures } from '../../src/figures/analytics/day-figures.ts'
import { quantileOf } from '../../src/figures/analytics/numbers.ts'
import { campaignsIn, summarize } from '../../src/figures/analytics/rules.ts'

const uuid = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const day = (fields: Partial<DayFigures> = {}): DayFigures => ({
  orders: { placed: 0, nothing_to_send: 0, handed_over_without_tracking: 0 },
  shipments: [],
  waiting: 0,
  carriers: [],
  failed_attempts: 0,
  claims: [],
  notifications: [],
  views: [],
  attributed: [],
  ...fields,
})
const carrier = (name: string | null, fields: Partial<CarrierFigures> = {}): CarrierFigures => ({
  carrier: name,
  delivered: 1,
  expected: 0,
  on_time: 0,
  transit: [],
  predicted: 0,
  early: 0,
  held: 0,
  late: 0,
  ...fields,
})
const period = { firstDay: '2026-11-01', lastDay: '2026-11-03' }
const summary = (
  days: Record<string, DayFigures>,
  names = { endpointIds: ['hook'], campaigns: [{ id: uuid, name: 'Socks' }] },
) => summarize(period, new Map(Object.entries(days)), names)
const busy = (fields: Partial<DayFigures>) => summary({ '2026-11-02': day(fields) })

describe('figures of a period', () => {
  it('are sums of its days, and of no others', () => {
    const orders = { placed: 2, nothing_to_send: 1, handed_over_without_tracking: 1 }
    const figures = summary({
      '2026-10-31': day({ orders }),
      '2026-11-01': day({ orders, waiting: 3, failed_attempts: 1 }),
      '2026-11-03': day({ orders: { ...orders, placed: 5 }, waiting: 1, carriers: [carrier('dhl', { delivered: 4 })] }),
      '2026-11-04': day({ orders }),
    })
    expect(figures).toMatchObject({
      from: '2026-11-01',
      to: '2026-11-03',
      orders: { placed: 7, nothing_to_send: 2, handed_over_without_tracking: 2 },
      shipments: { waiting: 4 },
      deliveries: { delivered: 4, failed_attempts: 1 },
    })
    expect(figures.days).toEqual([
      { date: '2026-11-01', orders: 2, deliveries: 0 },
      { date: '2026-11-02', orders: 0, deliveries: 0 },
      { date: '2026-11-03', orders: 5, deliveries: 4 },
    ])
  })

  it('have no rates without a sample', () => {
    const none = { count: 0, sample: 0, share: null }
    expect(summary({})).toMatchObject({
      rates: { on_time: none, notifications: none },
      deliveries: { transit_days: { median: null, p90: null }, windows: { held_share: null } },
      carriers: [],
    })
  })

  it('have shipments by phase and by flag, each counted once in both', () => {
    const { shipments } = busy({
      shipments: [
        { phase: 'in_transit', flag: 'normal', count: 3 },
        { phase: 'in_transit', flag: 'delay', count: 2 },
        { phase: 'delivered', flag: 'normal', count: 4 },
        { phase: 'a phase of tomorrow', flag: 'normal', count: 1 },
      ],
    })
    expect(shipments).toMatchObject({
      created: 10,
      by_phase: { in_transit: 5, delivered: 4, collect: 0 },
      by_flag: { normal: 8, delay: 2, error: 0 },
    })
  })

  it('have transit times in days, over all carriers', () => {
    const carriers = [carrier('dhl', { transit: [[24, 3]] }), carrier('ups', { transit: [[72, 1]] })]
    expect(busy({ carriers }).deliveries.transit_days).toEqual({ median: 1, p90: 2.4 })
  })

  it('have the windows that were kept, early and late', () => {
    const carriers = [
      carrier('dhl', { predicted: 6, early: 1, held: 4, late: 1 }),
      carrier('ups', { predicted: 2, held: 1, late: 1 }),
    ]
    expect(busy({ carriers }).deliveries.windows).toEqual({
      predicted: 8,
      early: 1,
      held: 5,
      late: 2,
      held_share: 0.625,
    })
  })

  it('have each carrier, those that delivered most first', () => {
    const figures = summary({
      '2026-11-01': day({ carriers: [carrier('ups', { delivered: 2, expected: 2, on_time: 1 }), carrier('gls')] }),
      '2026-11-02': day({
        carriers: [
          carrier('ups', { delivered: 1, expected: 1, on_time: 1 }),
          carrier(null),
          // Returns only.
          carrier('dhl', { delivered: 0, predicted: 1 }),
        ],
      }),
    })
    expect(figures.carriers.map(({ carrier_reference, delivered }) => [carrier_reference, delivered])).toEqual([
      ['ups', 3],
      [null, 1],
      ['gls', 1],
    ])
    expect(figures.carriers[0]?.on_time).toEqual({ count: 2, sample: 3, share: 0.667 })
    expect(figures.rates.on_time).toEqual({ count: 2, sample: 3, share: 0.667 })
  })

  it('leave out carriers after the twentieth, but not their deliveries', () => {
    const carriers = Array.from({ length: 25 }, (_, index) => carrier(`c${index}`))
    const figures = busy({ carriers })
    expect(figures.carriers).toHaveLength(20)
    expect(figures.deliveries.delivered).toBe(25)
  })

  it('count what was sent to endpoints that are there, and to integrations and by mail', () => {
    const notifications = [
      { target: 'hook', status: 'delivered', count: 6 },
      { target: 'hook', status: 'dead', count: 1 },
      { target: 'hook', status: 'pending', count: 9 },
      { target: 'deleted', status: 'dead', count: 50 },
      { target: 'klaviyo', status: 'delivered', count: 2 },
      { target: 'smtp', status: 'dead', count: 1 },
    ]
    const figures = busy({ notifications })
    expect(figures.notifications).toMatchObject({
      webhooks: { delivered: 6, dead: 1, pending: 9 },
      integrations: { delivered: 2, dead: 1, pending: 0 },
    })
    expect(figures.rates.notifications).toEqual({ count: 8, sample: 10, share: 0.8 })
  })

  it('have claims by reason and by status', () => {
    const claims = [
      { reason: 'damage', status: 'pending', count: 2 },
      { reason: 'return', status: 'pending', count: 1 },
    ]
    expect(busy({ claims }).claims).toMatchObject({
      filed: 3,
      by_reason: { damage: 2, return: 1, support: 0 },
      by_status: { pending: 3, closed: 0 },
    })
  })
})

describe('campaigns of a period', () => {
  const order = (campaign: string | null, fields: Partial<DayFigures['attributed'][number]> = {}) => ({
    campaign,
    currency: 'EUR',
    orders: 1,
    revenue: 10.1,
    ...fields,
  })

  it('have views by their id, and orders by id or name, each currency by itself', () => {
    const { campaigns } = busy({
      views: [
        { subject_id: uuid, action: 'exposure', count: 5 },
        { subject_id: uuid, action: 'click', count: 2 },
        { subject_id: 'a holdout', action: 'exposure', count: 90 },
      ],
      attributed: [
        order('Socks'),
        order(uuid.toUpperCase(), { revenue: 20.2 }),
        order('Socks', { currency: 'SEK', revenue: 500 }),
        order('Gone'),
        order(null),
      ],
    })
    expect(campaigns).toMatchObject({ exposures: 5, clicks: 2, orders: 5 })
    expect(campaigns.revenue).toEqual([
      { currency: 'SEK', amount: 500 },
      { currency: 'EUR', amount: 50.5 },
    ])
    expect(campaigns.campaigns).toEqual([
      {
        campaign_id: uuid,
        name: 'Socks',
        exposures: 5,
        clicks: 2,
        orders: 3,
        revenue: [
          { currency: 'SEK', amount: 500 },
          { currency: 'EUR', amount: 30.3 },
        ],
      },
    ])
  })

  it('give the orders of a name to the newest campaign that has it', () => {
    const names = {
      endpointIds: [],
      campaigns: [
        { id: 'new', name: 'Socks' },
        { id: 'old', name: 'Socks' },
      ],
    }
    const { campaigns } = summary({ '2026-11-02': day({ attributed: [order('Socks')] }) }, names)
    expect(campaigns.campaigns.map(({ campaign_id }) => campaign_id)).toEqual(['new'])
  })

  it('are looked up by what the days name', () => {
    const days = [
      day({ views: [{ subject_id: 'c-1', action: 'click', count: 1 }], attributed: [order('Socks'), order(null)] }),
      day({ attributed: [order(uuid)] }),
    ]
    expect(campaignsIn(days)).toEqual({ ids: ['c-1', uuid], names: ['Socks', uuid] })
  })
})

describe('quantile', () => {
  it('is interpolated between the two nearest values', () => {
    const histogram = [
      [1, 1],
      [2, 2],
      [10, 1],
    ] as const
    expect(quantileOf([histogram.map(([value, count]) => [value, count] as const)], 0.5)).toBe(2)
    expect(quantileOf([[[1, 1]], [[2, 1]]], 0.5)).toBe(1.5)
    expect(quantileOf([[[10, 1]], [[1, 3]]], 0)).toBe(1)
    expect(quantileOf([[[10, 1]], [[1, 3]]], 1)).toBe(10)
    expect(quantileOf([[], [[3, 0]]], 0.5)).toBeNull()
  })
})
