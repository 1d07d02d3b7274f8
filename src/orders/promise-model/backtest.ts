import type { ShopDays } from '../../platform/calendars/calendars.ts'
import { type Day, dayOf } from '../../platform/calendars/days.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { type BaselineName, Baselines } from './baselines.ts'
import { dateOf } from './carrier-days.ts'
import type { FinishedJourney, Journey } from './journeys.ts'
import { type Prediction, TransitModel } from './model.ts'
import { type Window, windowAt } from './window.ts'

export interface BacktestOptions {
  /** Parcels that were sent from the first to the last day, both included, are promised a window. */
  from: string
  to: string
  percentile: number
  shopDays?: ShopDays
  /** Days after which the model learns again; promises between are made from what was known before. */
  learnEveryDays?: number
  /** Lets other work run. */
  pause?: () => Promise<void>
}

export type MethodName = 'model' | BaselineName

export interface MethodResult {
  method: MethodName
  /** The share of parcels that came by the last day of their window. */
  inTime: number
  /** The share of parcels that came within their window. */
  coverage: number
  /** Days of a window, the first and the last included. */
  width: number
  /** The width at which it covers as much as the model; null if it does not at any. */
  widthAtModelCoverage: number | null
}

/** Promises that stated about the same share: the mean of what they stated, and what came true. */
export interface CalibrationPoint {
  stated: number
  realised: number
  promises: number
}

export interface Backtest {
  from: string
  to: string
  percentile: number
  /** Parcels that were promised a window. */
  parcels: number
  /** Mean share that the model stated for the last day of its windows. */
  stated: number
  methods: MethodResult[]
  calibration: CalibrationPoint[]
}

const methods: readonly MethodName[] = ['model', 'carrier_table', 'fixed_days', 'plain_percentile']
/** Percentiles at which all are tried, to compare them at equal coverage. */
const percentiles = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995]
/** Lower bounds of the groups of stated shares; days are whole, so a promise rarely states just the requested share. */
const statedFrom = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98]
const sliceSize = 300

/**
 * Replays the days of a period. Each parcel is promised a window by what was known before the day it was sent: the
 * parcels that had been delivered, and those still in transit. Its arrival is then compared with the window. The caller
 * ends the period early enough for its parcels to have arrived: one that has not cannot be compared, and of the last
 * days' parcels only the quick ones have.
 */
export async function backtest(journeys: readonly Journey[], options: BacktestOptions): Promise<Backtest> {
  const { from, to, percentile, learnEveryDays = 7, pause = async () => {} } = options
  const [first, last] = [dayOf(from), dayOf(to)]
  const shopDays = options.shopDays ?? {}
  const byDelivery = journeys.filter(isFinished).sort((one, other) => +one.deliveredAt - +other.deliveredAt)
  const bySending = byDelivery
    .filter(({ sentAt, deliveredAt }) => deliveredAt >= sentAt && dayOfInstant(sentAt) >= first)
    .filter(({ sentAt }) => dayOfInstant(sentAt) <= last)
    .sort((one, other) => +one.sentAt - +other.sentAt)
  const knownOn = (day: Day) => byDelivery.slice(0, countBefore(byDelivery, day))
  // Parcels in transit may have a later arrival here: the model ignores it.
  const startedBefore = (day: Day) => journeys.filter(({ sentAt }) => +sentAt < day * dayMs)
  const baselines = new Baselines(knownOn(first), { first: first - 1_000, last }, shopDays)
  const tally = new Tally(percentile)
  let [model, learntOn] = [undefined as TransitModel | undefined, Number.NEGATIVE_INFINITY]
  for (const [index, journey] of bySending.entries()) {
    const sent = dayOfInstant(journey.sentAt)
    if (sent - learntOn >= learnEveryDays) {
      const known = knownOn(sent)
      model = await TransitModel.learnGently(startedBefore(sent), { asOf: new Date(sent * dayMs), shopDays }, pause)
      await pause()
      baselines.learn(known)
      learntOn = sent
    }
    const prediction = model?.predict(journey, dateOf(sent))
    if (prediction) {
      const windows = baselines.windows(journey, sent, tally.percentiles)
      const own = tally.percentiles.map((share) => windowAt((share) => prediction.numberAt(share), share))
      tally.add(dayOfInstant(journey.deliveredAt), prediction, { model: own, ...windows })
    }
    if (index % sliceSize === sliceSize - 1) await pause()
  }
  return { from, to, percentile, ...tally.result() }
}

/** Sums of one method at one percentile. */
interface Sums {
  parcels: number
  inTime: number
  within: number
  days: number
}

class Tally {
  readonly percentiles: number[]
  private readonly chosen: number
  private readonly sums: Record<MethodName, Sums[]>
  private readonly points = statedFrom.map(() => ({ stated: 0, realised: 0, promises: 0 }))
  private parcels = 0
  private stated = 0

  constructor(percentile: number) {
    this.percentiles = [...new Set([...percentiles, percentile])].sort((one, other) => one - other)
    this.chosen = this.percentiles.indexOf(percentile)
    const none = () => this.percentiles.map(() => ({ parcels: 0, inTime: 0, within: 0, days: 0 }))
    this.sums = { model: none(), carrier_table: none(), fixed_days: none(), plain_percentile: none() }
  }

  add(delivered: Day, prediction: Prediction, windows: Record<MethodName, Window[] | undefined>): void {
    this.parcels += 1
    for (const method of methods) {
      for (const [index, { earliest, latest }] of (windows[method] ?? []).entries()) {
        const sums = this.sums[method][index]
        if (sums === undefined) continue
        sums.parcels += 1
        sums.days += latest - earliest + 1
        if (delivered <= latest) sums.inTime += 1
        if (delivered <= latest && delivered >= earliest) sums.within += 1
      }
    }
    let before: Day | undefined
    for (const [index, { latest }] of (windows.model ?? []).entries()) {
      const share = prediction.shareAt(latest)
      if (index === this.chosen) this.stated += share
      // The same last day at several percentiles is one promise.
      if (latest !== before) this.state(share, delivered <= latest)
      before = latest
    }
  }

  result(): Pick<Backtest, 'parcels' | 'stated' | 'methods' | 'calibration'> {
    const coverage = shareOf(this.sums.model[this.chosen], 'within')
    return {
      parcels: this.parcels,
      stated: this.parcels === 0 ? 0 : this.stated / this.parcels,
      methods: methods.map((method) => {
        const sums = this.sums[method][this.chosen]
        return {
          method,
          inTime: shareOf(sums, 'inTime'),
          coverage: shareOf(sums, 'within'),
          width: shareOf(sums, 'days'),
          widthAtModelCoverage: method === 'model' ? shareOf(sums, 'days') : this.widthAt(method, coverage),
        }
      }),
      calibration: this.points
        .filter(({ promises }) => promises > 0)
        .map(({ stated, realised, promises }) => ({
          stated: stated / promises,
          realised: realised / promises,
          promises,
        })),
    }
  }

  private state(share: number, isInTime: boolean): void {
    const point = this.points[statedFrom.findLastIndex((least) => share >= least)]
    if (point === undefined) return
    point.promises += 1
    point.stated += share
    if (isInTime) point.realised += 1
  }

  /** Between the two percentiles whose coverages are next to it: some windows by one, the others by the other. */
  private widthAt(method: MethodName, coverage: number): number | null {
    let below: Sums | undefined
    for (const sums of this.sums[method]) {
      const reached = shareOf(sums, 'within')
      if (reached >= coverage) {
        if (below === undefined) return shareOf(sums, 'days')
        const start = shareOf(below, 'within')
        const part = reached === start ? 1 : (coverage - start) / (reached - start)
        return shareOf(below, 'days') + part * (shareOf(sums, 'days') - shareOf(below, 'days'))
      }
      below = sums
    }
    return null
  }
}

function shareOf(sums: Sums | undefined, part: 'inTime' | 'within' | 'days'): number {
  return sums === undefined || sums.parcels === 0 ? 0 : sums[part] / sums.parcels
}

function isFinished(journey: Journey): journey is FinishedJourney {
  return journey.deliveredAt !== null
}

/** How many of the sorted journeys were delivered before a day began. */
function countBefore(sorted: readonly FinishedJourney[], day: Day): number {
  const moment = day * dayMs
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (+(sorted[middle]?.deliveredAt ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

function dayOfInstant(instant: Date): Day {
  return Math.floor(instant.getTime() / dayMs)
}
