import { type Day, dateOf, dayOf, isoWeekday } from '../calendars/days.ts'
import { dayMs } from '../foundation/clock.ts'
import { CarrierCalendars } from './carrier-calendars.ts'
import type { CarrierDays } from './carrier-days.ts'
import { Cells } from './cells.ts'
import type { Basis, DayDistribution, FinishedJourney, LearnOptions, Progress, Route } from './journeys.ts'
import { anyParcel, Counts, longest, type Shares, shrunk } from './shares.ts'

/** Older journeys weigh next to nothing; longer ones were not under way all the time. */
const oldestDays = 730
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
    const usable: FinishedJourney[] = []
    for (const journey of journeys) {
      if (journey.deliveredAt >= asOf || journey.deliveredAt < journey.sentAt) continue
      const delivered = numberOf(journey.deliveredAt)
      if (delivered < today - oldestDays || delivered - numberOf(journey.sentAt) > longestDays) continue
      usable.push(journey)
      calendars.add(journey.carrier, journey.destinationCountry, delivered)
    }
    yield
    const model = new TransitModel(calendars)
    const heldUp = new Counts()
    let weight = 0
    for (const [index, journey] of usable.entries()) {
      const { working, planned } = calendars.of(journey.carrier, journey.destinationCountry)
      const [sent, delivered] = [numberOf(journey.sentAt), numberOf(journey.deliveredAt)]
      const age = { sent: today - sent, delivered: today - delivered }
      const taken = Math.min(longest, working.taken(sent, delivered))
      model.fromSending.add(journey, isoWeekday(sent), taken, age)
      const scanned = journey.inTransitAt && numberOf(journey.inTransitAt)
      if (scanned !== null && scanned >= sent && scanned <= delivered) {
        const rest = Math.min(longest, working.taken(scanned, delivered))
        model.fromScan.add({ ...journey, destinationZip: null }, isoWeekday(scanned), rest, {
          sent: today - scanned,
          delivered: today - delivered,
        })
      }
      const ofAge = 0.5 ** (age.delivered / disruptionHalfLifeDays)
      weight += ofAge
      const delay = Math.min(longest, planned.taken(sent, delivered)) - taken
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

/** When a parcel arrives that sets off on a day. */
export class Prediction implements DayDistribution {
  readonly basis: Basis
  readonly sampleSize: number
  private readonly shares: Shares
  private readonly days: CarrierDays
  private readonly start: Day

  constructor(
    { basis, sampleSize, shares }: { basis: Basis; sampleSize: number; shares: Shares },
    days: CarrierDays,
    start: Day,
  ) {
    this.basis = basis
    this.sampleSize = sampleSize
    this.shares = shares
    this.days = days
    this.start = start
  }

  get likeliest(): string {
    let [best, most, before] = [0, 0, 0]
    for (const [taken, share] of this.shares.entries()) {
      // The last one is that of all longer journeys together.
      if (share - before > most && taken < longest) [best, most] = [taken, share - before]
      before = share
    }
    return dateOf(this.days.add(this.start, best))
  }

  shareBy(day: string): number {
    return this.shareAt(dayOf(day))
  }

  dayAt(share: number): string {
    return dateOf(this.numberAt(share))
  }

  shareAt(day: Day): number {
    if (day < this.start) return 0
    return this.shares[Math.min(longest, this.days.between(this.start, day))] ?? 1
  }

  numberAt(share: number): Day {
    let taken = 0
    while (taken < longest && (this.shares[taken] ?? 1) < share) taken += 1
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
