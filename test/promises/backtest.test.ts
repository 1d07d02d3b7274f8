import { beforeAll, describe, expect, it } from 'vitest'
import { type Backtest, backtest } from '../../src/orders/promise-model/backtest.ts'
import type { FinishedJourney } from '../../src/orders/promise-model/journeys.ts'
import { plotBacktest } from '../../src/orders/promise-model/plot.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import { generateJourneys } from '../harness/generated-journeys.ts'

const journeys = generateJourneys({ parcelsPerDay: 20 })
const period = { from: '2025-03-01', to: '2026-01-31' }

describe('a back-test on generated journeys', () => {
  let result: Backtest
  beforeAll(async () => {
    result = await backtest(journeys, { ...period, percentile: 0.9, learnEveryDays: 14 })
  })

  it('tries every parcel of the period', () => {
    const day = (instant: Date) => instant.toISOString().slice(0, 10)
    const sent = journeys.filter(({ sentAt }) => day(sentAt) >= period.from && day(sentAt) <= period.to)
    expect(result).toMatchObject({ ...period, percentile: 0.9, parcels: sent.length })
  })

  it('shows that stated shares come true to within 3 points', () => {
    expect(result.calibration.length).toBeGreaterThanOrEqual(6)
    for (const { stated, realised, promises } of result.calibration) {
      // Nothing is allowed for chance: the journeys are the same in every run, and each group has thousands of promises.
      expect(promises).toBeGreaterThan(2_000)
      expect(Math.abs(realised - stated), `${stated} stated`).toBeLessThan(0.03)
    }
    const [model] = result.methods
    expect(Math.abs((model?.inTime ?? 0) - result.stated)).toBeLessThan(0.03)
  })

  it('shows that the model has the narrowest window at equal coverage', () => {
    const [model, ...baselines] = result.methods
    expect(baselines.map(({ method }) => method)).toEqual(['carrier_table', 'fixed_days', 'plain_percentile'])
    for (const { method, widthAtModelCoverage } of baselines) {
      expect(widthAtModelCoverage ?? Number.POSITIVE_INFINITY, method).toBeGreaterThan((model?.width ?? 0) * 1.05)
    }
  })

  it('is drawn with every point and every method', () => {
    const plot = plotBacktest(result)
    expect(plot.match(/<circle/g)).toHaveLength(result.calibration.length)
    for (const name of ['Model', 'Carrier table', 'Fixed days', 'Plain percentile']) expect(plot).toContain(`>${name}<`)
    expect(plot).toContain('prefers-color-scheme:dark')
  })
})

describe('a back-test', () => {
  const route = { carrier: 'dhl', service: null, originCountry: 'DE', destinationCountry: 'DE', destinationZip: null }
  /** Sent at noon of each day, delivered so many days later. */
  const daily = (from: string, days: number, taken: (index: number) => number): FinishedJourney[] =>
    Array.from({ length: days }, (_, index) => {
      const sentAt = new Date(Date.parse(`${from}T12:00:00Z`) + index * dayMs)
      return { ...route, sentAt, inTransitAt: null, deliveredAt: new Date(sentAt.getTime() + taken(index) * dayMs) }
    })
  const options = { from: '2026-03-02', to: '2026-03-08', percentile: 0.9, learnEveryDays: 1 }

  it('knows which parcels are under way, but not when they arrive, nor what was sent later', async () => {
    const known = daily('2026-01-01', 50, () => 2)
    const promised = daily('2026-03-02', 7, () => 2)
    const before = await backtest([...known, ...promised], options)
    // Sent before the period and delivered after it: how long after makes no difference.
    const underWay = (more: number) => daily('2026-02-20', 9, (index) => 40 - index + more)
    const waiting = await backtest([...known, ...underWay(0), ...promised], options)
    expect(waiting).toEqual(await backtest([...known, ...underWay(60), ...promised], options))
    const never = underWay(0).map((journey) => ({ ...journey, deliveredAt: null }))
    expect(waiting).toEqual(await backtest([...known, ...never, ...promised], options))
    // That they have not come is known.
    expect(waiting.stated).toBeLessThan(before.stated)
    const later = daily('2026-03-09', 60, () => 20)
    expect(await backtest([...known, ...promised, ...later], options)).toEqual(before)
  })

  it('promises nothing to parcels before which none was delivered', async () => {
    const first = daily('2026-03-02', 7, () => 9)
    const { parcels, calibration } = await backtest(first, options)
    expect({ parcels, calibration }).toEqual({ parcels: 0, calibration: [] })
  })

  it('lets others have their turn', async () => {
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    await backtest([...daily('2026-01-01', 50, () => 2), ...daily('2026-03-02', 7, () => 2)], { ...options, pause })
    expect(pauses).toBeGreaterThan(7)
  })
})
