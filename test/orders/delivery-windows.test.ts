import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Journey,
  learnRoutes,
  leastJourneys,
  percentile,
  predictWindow,
  routeName,
  serviceDaysBetween,
} from '../../src/orders/delivery-windows/rules.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { CaseCounter } from '../harness/cases.ts'

const everyDay = new Set([0, 1, 2, 3, 4, 5, 6])
const weekdays = new Set([1, 2, 3, 4, 5])
const monday = new Date('2024-01-01T10:00:00Z')

const after = (from: Date, days: number) => new Date(from.getTime() + days * dayMs)
const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
const daySets = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }).map((days) => new Set(days))
const samples = fc
  .array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 })
  .map((days) => days.sort((left, right) => left - right))
/** Half of them are ranks of small samples, at which one more or less decides. */
const shares = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 20 })).map(([part, whole]) => Math.min(1, part / whole)),
)
const edges: [sample: number[], share: number][] = [
  [[3], 0],
  [[3], 1],
  [[1, 2], 0.5],
  [[1, 2, 3, 4], 0.25],
  [[1, 2, 3, 4], 0.26],
  [[0, 0, 0, 9], 0.75],
  [[0, 0, 0, 9], 0.76],
]

function journey(placedAt: Date, deliveredAt: Date, fields: Partial<Journey> = {}): Journey {
  return { carrierReference: 'dhl', destinationCountry: 'DE', placedAt, deliveredAt, ...fields }
}

/** Journeys that begin on as many Mondays and take this many days. */
function journeys(count: number, days: (index: number) => number, fields: Partial<Journey> = {}): Journey[] {
  return Array.from({ length: count }, (_, index) => {
    const placedAt = after(monday, 7 * index)
    return journey(placedAt, after(placedAt, days(index)), fields)
  })
}

function routeOf(group: Journey[]) {
  const route = learnRoutes(group).get(routeName('dhl', 'DE'))
  if (route === undefined) throw new Error('no route was learnt')
  return route
}

describe('percentile', () => {
  const cases = new CaseCounter<{ sample: number[]; share: number }>({
    'of nothing and of all': ({ share }) => share === 0 || share === 1,
    'at a rank': ({ sample, share }) => share > 0 && share < 1 && Number.isInteger(share * sample.length),
    'between two ranks': ({ sample, share }) => !Number.isInteger(share * sample.length),
    'of a single value': ({ sample }) => sample.length === 1,
    'of equal values': ({ sample }) => new Set(sample).size < sample.length,
  })

  it('is a value of the sample that at least its share of the sample does not exceed', () => {
    fc.assert(
      fc.property(samples, shares, (sample, share) => {
        cases.count({ sample, share })
        const value = percentile(sample, share)
        expect(sample).toContain(value)
        expect(sample.filter((one) => one <= value).length).toBeGreaterThanOrEqual(share * sample.length)
        expect(sample.filter((one) => one < value).length).toBeLessThanOrEqual(share * sample.length)
      }),
      { examples: edges },
    )
    cases.expectEach()
  })

  it('never falls when the share grows', () => {
    fc.assert(
      fc.property(samples, shares, shares, (sample, one, other) => {
        expect(percentile(sample, Math.min(one, other))).toBeLessThanOrEqual(percentile(sample, Math.max(one, other)))
      }),
    )
  })

  it('is the nearest rank', () => {
    const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(percentile(tenths, 0.1)).toBe(1)
    expect(percentile(tenths, 0.5)).toBe(5)
    expect(percentile(tenths, 0.9)).toBe(9)
    expect(percentile(tenths, 1)).toBe(10)
    expect(percentile([], 0.5)).toBe(0)
  })
})

describe('service days', () => {
  it('are calendar days where the carrier delivers on every day', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 60 }), (from, days) => {
        expect(serviceDaysBetween(from, after(from, days), everyDay)).toBe(days)
      }),
    )
  })

  it('exclude other days, and the day of the hand-over', () => {
    const friday = after(monday, 4)
    expect(serviceDaysBetween(friday, after(friday, 1), weekdays)).toBe(0)
    expect(serviceDaysBetween(friday, after(friday, 3), weekdays)).toBe(1)
    expect(serviceDaysBetween(monday, monday, weekdays)).toBe(0)
    expect(serviceDaysBetween(monday, after(monday, 14), weekdays)).toBe(10)
    expect(serviceDaysBetween(monday, after(monday, -3), weekdays)).toBe(0)
  })

  it('add up over a stop on the way', () => {
    const leg = fc.integer({ min: 0, max: 30 })
    const sunday = new Date('2026-11-01T23:59:59.999Z')
    const cases = new CaseCounter<{ first: number; second: number; days: Set<number> }>({
      'a stop on the way': ({ first, second }) => first > 0 && second > 0,
      'a leg of no day': ({ first, second }) => first === 0 || second === 0,
      'a carrier that delivers once a week': ({ days }) => days.size === 1,
    })
    fc.assert(
      fc.property(instants, leg, leg, daySets, (from, first, second, days) => {
        cases.count({ first, second, days })
        const stop = after(from, first)
        const end = after(stop, second)
        expect(serviceDaysBetween(from, end, days)).toBe(
          serviceDaysBetween(from, stop, days) + serviceDaysBetween(stop, end, days),
        )
      }),
      {
        examples: [
          [sunday, 1, 1, new Set([1])],
          [sunday, 0, 7, new Set([0])],
          [sunday, 7, 0, new Set([0])],
          [new Date('2028-02-28T12:00:00Z'), 1, 1, everyDay],
        ],
      },
    )
    cases.expectEach()
  })
})

describe('learning routes', () => {
  it('returns nothing for too few journeys', () => {
    expect(learnRoutes(journeys(leastJourneys - 1, () => 2)).size).toBe(0)
    expect(learnRoutes(journeys(leastJourneys, () => 2)).size).toBe(1)
  })

  it('ignores parcels that were delivered before they were sent', () => {
    expect(learnRoutes([...journeys(leastJourneys - 1, () => 2), ...journeys(30, () => -1)]).size).toBe(0)
  })

  it('separates carriers and countries', () => {
    const routes = learnRoutes([
      ...journeys(leastJourneys, () => 1),
      ...journeys(leastJourneys, () => 3, { carrierReference: 'ups' }),
      ...journeys(leastJourneys, () => 4, { destinationCountry: null }),
      ...journeys(leastJourneys - 1, () => 4, { destinationCountry: 'AT' }),
    ])
    expect([...routes.keys()].sort()).toEqual(
      [routeName('dhl', 'DE'), routeName('dhl', null), routeName('ups', 'DE')].sort(),
    )
    expect(routes.get(routeName('ups', 'DE'))?.all).toEqual(Array.from({ length: leastJourneys }, () => 1))
  })

  it('counts a day of the week as a service day from one delivery in twenty', () => {
    const onSaturday = (count: number, all: number) => journeys(all, (index) => (index < count ? 5 : 2))
    expect(routeOf(onSaturday(1, 21)).serviceDays).toEqual(new Set([3]))
    expect(routeOf(onSaturday(2, 40)).serviceDays).toEqual(new Set([3, 6]))
  })
})

describe('predicted window', () => {
  it('spans whole days, from the early to the late share, on service days', () => {
    const route = routeOf(journeys(40, (index) => [1, 2, 3, 4][index % 4] ?? 0))
    expect(predictWindow(route, after(monday, 700))).toEqual({
      from: new Date('2025-12-02T00:00:00.000Z'),
      to: new Date('2025-12-05T23:59:59.999Z'),
    })
    // From a Friday on, the weekend and Monday are skipped: nothing was ever delivered on those days.
    expect(predictWindow(route, after(monday, 704))).toEqual({
      from: new Date('2025-12-09T00:00:00.000Z'),
      to: new Date('2025-12-12T23:59:59.999Z'),
    })
  })

  it('depends on the day of the hand-over if enough journeys began on it', () => {
    const fridays = journeys(leastJourneys, () => 1).map(({ placedAt }) =>
      journey(after(placedAt, 4), after(placedAt, 4 + 5)),
    )
    const route = routeOf([...journeys(100, () => 2), ...fridays])
    expect(predictWindow(route, after(monday, 700)).from).toEqual(new Date('2025-12-03T00:00:00.000Z'))
    expect(predictWindow(route, after(monday, 704)).from).toEqual(new Date('2025-12-10T00:00:00.000Z'))
  })

  it('never ends before it begins, and stays within the range of past journeys', () => {
    /** How many days each parcel takes, and how many are between two that are sent: 7 is always the same weekday. */
    const taken = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: leastJourneys, maxLength: 60 })
    const weeks = fc.array(fc.constantFrom(0, 7, 14), { minLength: leastJourneys, maxLength: 40 })
    const history = fc.oneof(
      fc.tuple(taken, fc.constant(1)),
      fc.tuple(taken, fc.constant(7)),
      fc.tuple(weeks, fc.constant(7)),
    )
    const cases = new CaseCounter<ReturnType<typeof routeOf>>({
      'few service days': ({ serviceDays }) => serviceDays.size < 4,
      'every day': ({ serviceDays }) => serviceDays.size === 7,
      'parcels that arrive on the day they are sent': ({ all }) => all[0] === 0,
      'enough journeys from one weekday': ({ byWeekday }) =>
        [...byWeekday.values()].some(({ length }) => length >= leastJourneys),
    })
    const examples: [history: [taken: number[], every: number], placedAt: Date][] = [
      [[Array.from({ length: 30 }, () => 7), 7], after(monday, 700)],
      [[Array.from({ length: 30 }, () => 0), 7], after(monday, 703)],
      [[Array.from({ length: 60 }, (_, index) => index % 8), 1], after(monday, 705)],
    ]
    fc.assert(
      fc.property(history, instants, ([taken, every], placedAt) => {
        const group = taken.map((count, index) => {
          const sent = after(monday, index * every)
          return journey(sent, after(sent, count))
        })
        const route = routeOf(group)
        cases.count(route)
        const { from, to } = predictWindow(route, placedAt)
        expect(from.getTime()).toBeLessThan(to.getTime())
        expect(serviceDaysBetween(placedAt, from, route.serviceDays)).toBeGreaterThanOrEqual(route.all.at(0) ?? 0)
        expect(serviceDaysBetween(placedAt, to, route.serviceDays)).toBeLessThanOrEqual(route.all.at(-1) ?? 0)
      }),
      { examples },
    )
    cases.expectEach()
  })
})
