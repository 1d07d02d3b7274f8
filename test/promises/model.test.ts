import { describe, expect, it } from 'vitest'
import type { FinishedJourney, Journey, Route } from '../../src/orders/promise-model/journeys.ts'
import { TransitModel } from '../../src/orders/promise-model/model.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'

const berlin: Route = {
  carrier: 'dhl',
  service: 'parcel',
  originCountry: 'DE',
  destinationCountry: 'DE',
  destinationZip: '10115',
}
const munich: Route = { ...berlin, destinationZip: '80331' }
const asOf = new Date('2026-09-28T00:00:00Z')
const monday = '2026-09-28'

/** Parcels that were sent on working days of the last weeks, one after another, and took these working days in turn. */
function journeys(route: Route, count: number, taken: number[], span = 40): FinishedJourney[] {
  return Array.from({ length: count }, (_, index) => {
    const sent = new Date('2026-09-18T10:00:00Z').getTime() - (index % span) * dayMs
    const sentAt = workingDayFrom(new Date(sent), 0)
    return {
      ...route,
      sentAt,
      inTransitAt: sentAt,
      deliveredAt: workingDayFrom(sentAt, taken[index % taken.length] ?? 0),
    }
  })
}

/** No public holiday of Germany is among them. */
function workingDayFrom(from: Date, days: number): Date {
  let day = from
  while (day.getUTCDay() % 6 === 0) day = new Date(day.getTime() + dayMs)
  for (let left = days; left > 0; ) {
    day = new Date(day.getTime() + dayMs)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}

function learn(...groups: Journey[][]): TransitModel {
  return TransitModel.learn(groups.flat(), { asOf })
}

describe('a model of transit times', () => {
  it('promises nothing without a journey', () => {
    expect(learn().predict(berlin, monday)).toBeUndefined()
    expect(learn().chanceBy(berlin, underway({}), '2026-09-30', monday)).toBeUndefined()
    const tomorrow = journeys(berlin, 1, [1]).map((journey) => ({ ...journey, deliveredAt: asOf }))
    expect(learn(tomorrow).predict(berlin, monday)).toBeUndefined()
  })

  it('answers with working days, the share that has arrived by each, and what it is based on', () => {
    const prediction = learn(journeys(berlin, 400, [1, 2, 2, 2, 3])).predict(berlin, '2026-10-01')
    expect(prediction).toMatchObject({ basis: 'route', sampleSize: 400, likeliest: '2026-10-05' })
    expect(prediction?.dayAt(0.1)).toBe('2026-10-02')
    expect(prediction?.dayAt(0.9)).toBe('2026-10-06')
    expect(prediction?.shareBy('2026-09-30')).toBe(0)
    expect(prediction?.shareBy('2026-10-05')).toBeCloseTo(0.8, 1)
    expect(prediction?.shareBy('2026-10-04')).toBe(prediction?.shareBy('2026-10-02'))
    expect(prediction?.shareBy('2027-09-01')).toBeCloseTo(1, 5)
  })

  it('skips public holidays of the destination and closed days of the shop', () => {
    const model = learn(journeys(berlin, 400, [2]))
    // 3 October 2026 is a Saturday; 25 December a Friday.
    expect(model.predict(berlin, '2026-12-23')?.dayAt(0.5)).toBe('2026-12-28')
    const closed = TransitModel.learn(journeys(berlin, 400, [2]), {
      asOf,
      shopDays: { closed: ['2026-12-24'], open: ['2026-12-26'] },
    })
    expect(closed.predict(berlin, '2026-12-23')?.dayAt(0.5)).toBe('2026-12-28')
    expect(closed.predict(berlin, '2026-12-22')?.dayAt(0.5)).toBe('2026-12-26')
  })

  it('learns that a carrier delivers on Saturdays', () => {
    const everyDay = Array.from({ length: 120 }, (_, index) => {
      const sentAt = new Date(Date.parse('2026-09-20T10:00:00Z') - (index % 60) * dayMs)
      const next = new Date(sentAt.getTime() + dayMs)
      const deliveredAt = next.getUTCDay() === 0 ? new Date(next.getTime() + dayMs) : next
      return { ...berlin, sentAt, inTransitAt: null, deliveredAt }
    })
    expect(learn(everyDay).predict(berlin, '2026-10-09')?.dayAt(0.5)).toBe('2026-10-10')
    expect(
      learn(journeys(berlin, 120, [1]))
        .predict(berlin, '2026-10-09')
        ?.dayAt(0.5),
    ).toBe('2026-10-12')
  })

  it('lets a route with five parcels borrow from its country, and one with many have its own way', () => {
    const country = journeys(berlin, 400, [1, 2])
    const few = learn(country, journeys(munich, 5, [4]))
    expect(few.predict(munich, monday)).toMatchObject({ basis: 'country', sampleSize: 405 })
    expect(few.predict(munich, monday)?.shareBy('2026-09-30')).toBeGreaterThan(0.3)
    expect(few.predict(munich, monday)?.dayAt(0.9)).toBe('2026-10-02')
    const many = learn(country, journeys(munich, 400, [4]))
    expect(many.predict(munich, monday)).toMatchObject({ basis: 'route', sampleSize: 400, likeliest: '2026-10-02' })
    expect(many.predict(munich, monday)?.shareBy('2026-10-01')).toBeLessThan(0.05)
    expect(many.predict(berlin, monday)?.dayAt(0.9)).toBe('2026-09-30')
  })

  it('lets a country borrow from its carrier, and a carrier without journeys from the shop', () => {
    const model = learn(
      journeys({ ...berlin, destinationCountry: 'AT' }, 200, [3]),
      journeys({ ...berlin, destinationCountry: 'FR' }, 200, [3]),
      journeys({ ...berlin, carrier: 'ups' }, 50, [1]),
    )
    const italy = model.predict({ ...berlin, destinationCountry: 'IT' }, monday)
    expect(italy).toMatchObject({ basis: 'carrier', sampleSize: 400, likeliest: '2026-10-01' })
    expect(model.predict({ ...berlin, carrier: 'gls' }, monday)).toMatchObject({ basis: 'shop', sampleSize: 450 })
  })

  it('is the less sure the fewer journeys it knows', () => {
    const after = (count: number) =>
      learn(journeys(berlin, count, [2]))
        .predict(berlin, monday)
        ?.shareBy('2026-09-30')
    const shares = [1, 3, 10, 30, 100, 300].map((count) => after(count) ?? 0)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares[0]).toBeLessThan(0.7)
    expect(shares.at(-1)).toBeGreaterThan(0.97)
  })

  it('trusts the last weeks more than the last months', () => {
    const then = journeys(berlin, 300, [1]).map((journey) => moved(journey, -120))
    const slower = learn(then, journeys(berlin, 60, [3])).predict(berlin, monday)
    expect(slower?.shareBy('2026-09-29')).toBeLessThan(0.4)
  })

  it('is not misled by a shop that grows: of its last parcels only the quick ones have arrived', () => {
    // Every week twice as many; half of them take one working day, half six.
    const sent = Array.from({ length: 50 }, (_, day) =>
      workingDayFrom(new Date(asOf.getTime() - (50 - day) * dayMs), 0),
    )
    const growing = sent.flatMap((sentAt, day) =>
      Array.from({ length: Math.round(2 * 2 ** (day / 7)) }, (_, index) => ({
        ...berlin,
        sentAt,
        inTransitAt: sentAt,
        deliveredAt: workingDayFrom(sentAt, index % 2 === 0 ? 1 : 6),
      })),
    )
    const arrived = growing.filter(({ deliveredAt }) => deliveredAt < asOf)
    const byTuesday = (of: Journey[]) => learn(of).predict(berlin, monday)?.shareBy('2026-09-29')
    expect(byTuesday(arrived)).toBeGreaterThan(0.58)
    expect(byTuesday(growing)).toBeCloseTo(0.5, 1)
    const underWay = growing.filter(({ deliveredAt }) => deliveredAt >= asOf)
    const waiting = underWay.map((journey) => ({ ...journey, deliveredAt: null }))
    expect(byTuesday([...arrived, ...waiting])).toBeCloseTo(byTuesday(growing) ?? 0, 9)
  })

  it('notices a slow week before its parcels arrive', () => {
    const usual = journeys(berlin, 400, [1, 2])
    const waiting = journeys(berlin, 40, [0], 5).map((journey) => ({ ...journey, deliveredAt: null }))
    const byThursday = (of: Journey[]) => learn(of).predict(berlin, monday)?.shareBy('2026-10-01') ?? 0
    expect(byThursday([...usual, ...waiting])).toBeLessThan(byThursday(usual) - 0.02)
  })

  it('does not wait for a parcel that was never scanned', () => {
    const usual = journeys(berlin, 400, [1, 2])
    const labels = journeys(berlin, 200, [0]).map((journey) => ({
      ...moved(journey, -20),
      inTransitAt: null,
      deliveredAt: null,
    }))
    const shareOf = (of: Journey[]) => learn(of).predict(berlin, monday)?.shareBy('2026-09-30')
    expect(shareOf([...usual, ...labels])).toBe(shareOf(usual))
  })

  it('learns nothing about the days before its first delivery, of which it knows the slow parcels only', () => {
    const all = journeys(berlin, 4_000, [1, 2, 9], 400)
    const newest = all.filter(({ deliveredAt }) => deliveredAt >= new Date('2026-09-10T00:00:00Z'))
    const shareOf = (of: Journey[]) => learn(of).predict(berlin, monday)?.shareBy('2026-09-30') ?? 0
    expect(shareOf(newest)).toBeCloseTo(shareOf(all), 1)
  })

  it('does not take the week in which a carrier stood still for its pace, but remembers that it happens', () => {
    const usual = journeys(berlin, 400, [1], 100)
    const strike = { from: new Date('2026-08-31T00:00:00Z'), to: new Date('2026-09-05T00:00:00Z') }
    const struck = usual.map((journey) =>
      journey.deliveredAt > strike.from && journey.deliveredAt < strike.to
        ? { ...journey, deliveredAt: new Date('2026-09-07T10:00:00Z') }
        : journey,
    )
    const prediction = learn(struck).predict(berlin, monday)
    expect(prediction?.dayAt(0.8)).toBe('2026-09-29')
    const lost = (of?: { shareBy(day: string): number }) => 1 - (of?.shareBy('2026-10-01') ?? 0)
    expect(lost(prediction)).toBeGreaterThan(2 * lost(learn(usual).predict(berlin, monday)))
  })

  it('learns nothing from journeys that ended before they began', () => {
    const backwards = journeys(berlin, 40, [2]).map(({ sentAt, deliveredAt, ...journey }) => ({
      ...journey,
      sentAt: deliveredAt,
      deliveredAt: sentAt,
    }))
    expect(learn(backwards).predict(berlin, monday)).toBeUndefined()
  })
})

describe('the chance that a parcel still comes in time', () => {
  const model = learn(journeys(berlin, 600, [1, 2, 2, 3]))
  const chance = (progress: Parameters<typeof underway>[0], latest: string, now: string) =>
    model.chanceBy(berlin, underway(progress), latest, now)

  it('falls with every day that it is under way', () => {
    const byWednesday = [monday, '2026-09-29', '2026-09-30', '2026-10-01'].map(
      (now) => chance({}, '2026-09-30', now) ?? -1,
    )
    expect(byWednesday).toEqual(byWednesday.toSorted((one, other) => other - one))
    expect(byWednesday[0]).toBeCloseTo(0.75, 1)
    expect(byWednesday.at(-1)).toBe(0)
  })

  it('is counted from the first scan, if there was one', () => {
    const early = chance({ inTransitOn: monday }, '2026-09-30', '2026-09-29') ?? 0
    const late = chance({ inTransitOn: '2026-09-29' }, '2026-09-30', '2026-09-29') ?? 0
    expect(late).toBeLessThan(early - 0.2)
  })

  it('is high when it is out for delivery', () => {
    expect(chance({ isOutForDelivery: true }, '2026-10-05', '2026-10-05')).toBeGreaterThanOrEqual(0.9)
  })
})

function underway(progress: Partial<Parameters<TransitModel['chanceBy']>[1]>) {
  return { sentOn: monday, inTransitOn: null, isOutForDelivery: false, ...progress }
}

function moved(journey: FinishedJourney, days: number): FinishedJourney {
  const by = (instant: Date) => new Date(instant.getTime() + days * dayMs)
  return { ...journey, sentAt: by(journey.sentAt), inTransitAt: null, deliveredAt: by(journey.deliveredAt) }
}
