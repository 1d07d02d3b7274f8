import { type Day, dayOf, isoWeekday } from '../calendars/days.ts'
import { dayMs } from '../foundation/clock.ts'
import { CarrierCalendars } from './carrier-calendars.ts'
import { type CarrierDays, dateOf } from './carrier-days.ts'
import { type Answer, type Cell, Cells, keyOf, oldestDays } from './cells.ts'
import type { Basis, DayDistribution, FinishedJourney, LearnOptions, Progress, Route } from './journeys.ts'
import { anyParcel, Counts, longest, shrunk } from './shares.ts'

/** Whatever took longer was not under way all the time. */
const longestDays = 180
/** Disruptions are rare: their share is that of the last years, not that of the last weeks. */
const disruptionHalfLifeDays = 365
/** Of parcels that are out for delivery, the share that is delivered that day. Journeys do not tell: attempts are not kept. */
const deliveredWhenOut = 0.9
/** So many journeys are counted before others get their turn. */
const sliceSize = 4_000

/** Learns from finished journeys when parcels arrive. The decision record 0046 says how, and why. */
export class TransitModel {
  private readonly calendars: CarrierCalendars
  private readonly fromSending = new Cells()
  private readonly fromScan = new Cells()

  private constructor(calendars: CarrierCalendars) {
    this.calendars = calendars
  }

  static learn(journeys: Iterable<FinishedJourney>, options: LearnOptions): TransitModel {
    const steps = TransitModel.learning(journeys, options)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** The same in slices: others get their turn whenever `pause` lets them. */
  static async learnGently(
    journeys: Iterable<FinishedJourney>,
    options: LearnOptions,
    pause: () => Promise<void>,
  ): Promise<TransitModel> {
    const steps = TransitModel.learning(journeys, options)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await pause()
    }
  }

  private static *learning(
    journeys: Iterable<FinishedJourney>,
    { asOf, shopDays }: LearnOptions,
  ): Generator<undefined, TransitModel> {
    const today = numberOf(asOf)
    const calendars = new CarrierCalendars(today - oldestDays - longestDays, today, shopDays)
    const model = new TransitModel(calendars)
    const ways = new Map<string, Way>()
    const usable: { way: Way; sent: Day; scanned: Day | undefined; delivered: Day }[] = []
    for (const journey of journeys) {
      if (journey.deliveredAt >= asOf || journey.deliveredAt < journey.sentAt) continue
      const [sent, delivered] = [numberOf(journey.sentAt), numberOf(journey.deliveredAt)]
      if (delivered < today - oldestDays || delivered - sent > longestDays) continue
      const key = keyOf(journey)
      let way = ways.get(key)
      if (way === undefined) {
        way = {
          carrier: journey.carrier,
          country: journey.destinationCountry,
          sending: model.fromSending.cellFor(journey),
          scan: model.fromScan.cellFor({ ...journey, destinationZip: null }),
        }
        ways.set(key, way)
      }
      const scanned = journey.inTransitAt ? numberOf(journey.inTransitAt) : undefined
      usable.push({ way, sent, scanned, delivered })
      calendars.add(way.carrier, way.country, delivered)
      if (usable.length % sliceSize === 0) yield
    }
    yield
    const heldUp = new Counts()
    let weight = 0
    for (const [index, { way, sent, scanned, delivered }] of usable.entries()) {
      const { working, planned } = calendars.of(way.carrier, way.country)
      const age = today - delivered
      const taken = Math.min(longest, working.taken(sent, delivered))
      model.fromSending.add(way.sending, isoWeekday(sent), taken, today - sent, age)
      if (scanned !== undefined && scanned >= sent && scanned <= delivered) {
        const rest = Math.min(longest, working.taken(scanned, delivered))
        model.fromScan.add(way.scan, isoWeekday(scanned), rest, today - scanned, age)
      }
      const ofAge = 0.5 ** (age / disruptionHalfLifeDays)
      weight += ofAge
      const delay = working === planned ? 0 : Math.min(longest, planned.taken(sent, delivered)) - taken
      if (delay > 0) heldUp.add(delay, ofAge)
      if (index % sliceSize === sliceSize - 1) yield
    }
    const share = weight === 0 ? 0 : heldUp.total / weight
    const delays = heldUp.n === 0 ? anyParcel : shrunk(heldUp, anyParcel, 0)
    model.fromSending.settle({ share, delays })
    yield
    model.fromScan.settle({ share, delays })
    return model
  }

  /** Undefined without any journey: there is no promise without a basis. */
  predict(route: Route, sentOn: string): Prediction | undefined {
    return this.predictFrom(this.fromSending, route, dayOf(sentOn))
  }

  /** How likely a parcel that was not delivered before the day `now` arrives by the end of `latest`. */
  chanceBy(route: Route, progress: Progress, latest: string, now: string): number | undefined {
    const scanned = progress.inTransitOn
    const prediction =
      (scanned === null
        ? undefined
        : this.predictFrom(this.fromScan, { ...route, destinationZip: null }, dayOf(scanned))) ??
      this.predict(route, progress.sentOn)
    if (prediction === undefined) return undefined
    if (latest < now) return 0
    const chance = prediction.chanceBetween(dayOf(now), dayOf(latest))
    return progress.isOutForDelivery ? deliveredWhenOut + (1 - deliveredWhenOut) * chance : chance
  }

  private predictFrom(cells: Cells, route: Route, start: Day): Prediction | undefined {
    const answer = cells.answer(route, isoWeekday(start))
    if (answer === undefined) return undefined
    const { working } = this.calendars.of(route.carrier, route.destinationCountry)
    return new Prediction(answer, working, start)
  }
}

/** What is looked up once for all journeys of a route. */
interface Way {
  carrier: string | null
  country: string | null
  sending: Cell
  scan: Cell
}

/** When a parcel arrives that sets off on a day. */
export class Prediction implements DayDistribution {
  readonly basis: Basis
  readonly sampleSize: number
  private readonly answer: Answer
  private readonly days: CarrierDays
  private readonly start: Day

  constructor(answer: Answer, days: CarrierDays, start: Day) {
    this.basis = answer.basis
    this.sampleSize = answer.sampleSize
    this.answer = answer
    this.days = days
    this.start = start
  }

  get likeliest(): string {
    return dateOf(this.days.add(this.start, this.answer.likeliest))
  }

  shareBy(day: string): number {
    return this.shareAt(dayOf(day))
  }

  dayAt(share: number): string {
    return dateOf(this.numberAt(share))
  }

  shareAt(day: Day): number {
    if (day < this.start) return 0
    return this.answer.shares[Math.min(longest, this.days.between(this.start, day))] ?? 1
  }

  numberAt(share: number): Day {
    let taken = 0
    while (taken < longest && (this.answer.shares[taken] ?? 1) < share) taken += 1
    return this.days.add(this.start, taken)
  }

  /** How likely it arrives between two days, both included, if it has not before. */
  chanceBetween(from: Day, to: Day): number {
    const before = this.shareAt(from - 1)
    // What has outlasted everything that is known: nothing is known of it.
    return before >= 1 ? 0 : Math.max(0, (this.shareAt(to) - before) / (1 - before))
  }
}

function numberOf(instant: Date): Day {
  return Math.floor(instant.getTime() / dayMs)
}
