import { type Day, dayOf, isoWeekday } from '../../platform/calendars/days.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { CarrierCalendars } from './carrier-calendars.ts'
import { type CarrierDays, dateOf } from './carrier-days.ts'
import { type Answer, type Cell, Cells, keyOf, notKnown, oldestDays } from './cells.ts'
import type { Basis, DayDistribution, Journey, LearnOptions, Route, TransitState } from './journeys.ts'
import { anyParcel, Counts, longest, shrunk } from './shares.ts'

/** A parcel that took longer was not in transit all the time. */
const longestDays = 180
/** Without a scan nobody knows after so many days whether it was ever handed over. */
const longestUnscannedDays = 14
/** Disruptions are rare: their share is that of the last years, not that of the last weeks. */
const disruptionHalfLifeDays = 365
/** Share of the parcels out for delivery that is delivered that day. Journeys do not show it: attempts are not kept. */
const deliveredWhenOut = 0.9
/** So many journeys are counted before other work can run. */
const sliceSize = 2_000

/** Learns when parcels arrive, from journeys that are finished or in transit. Decision records 0046 and 0050 say how, and why. */
export class TransitModel {
  private readonly calendars: CarrierCalendars
  private readonly fromSending = new Cells()
  private readonly fromScan = new Cells()

  private constructor(calendars: CarrierCalendars) {
    this.calendars = calendars
  }

  static learn(journeys: Iterable<Journey>, options: LearnOptions): TransitModel {
    const steps = TransitModel.learning(journeys, options)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** The same in slices: other work runs during each `pause`. */
  static async learnGently(
    journeys: Iterable<Journey>,
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
    journeys: Iterable<Journey>,
    { asOf, shopDays }: LearnOptions,
  ): Generator<undefined, TransitModel> {
    const today = numberOf(asOf)
    const calendars = new CarrierCalendars(today - oldestDays - longestDays, today, shopDays)
    const model = new TransitModel(calendars)
    const ways = new Map<string, Way>()
    const usable: { way: Way; sent: Day; scanned: Day | undefined; delivered: Day | undefined }[] = []
    for (const journey of journeys) {
      const known = knownOf(journey, today)
      if (known === undefined) continue
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
      usable.push({ way, ...known })
      if (known.delivered !== undefined) calendars.add(way.carrier, way.country, known.delivered)
      if (usable.length % sliceSize === 0) yield
    }
    yield
    const heldUp = new Counts()
    const ages = new Int32Array(longest + 1)
    // Of earlier days, only parcels that were still in transit on this one are known: those days show nothing.
    const since = usable.reduce((first, { delivered }) => Math.min(first, delivered ?? first), today)
    let weight = 0
    for (const [index, { way, sent, scanned, delivered }] of usable.entries()) {
      if (index % sliceSize === sliceSize - 1) yield
      const { working, planned } = calendars.of(way.carrier, way.country)
      const count = (cells: Cells, cell: Cell, start: Day): number => {
        const last = delivered ?? today - 1
        const taken = delivered === undefined ? working.between(start, last) : working.taken(start, last)
        const lastDay = Math.min(longest, taken)
        for (let day = 0; day < lastDay; day += 1) {
          const date = working.add(start, day)
          ages[day] = date < since ? notKnown : today - date
        }
        ages[lastDay] = today - Math.max(since, delivered ?? working.add(start, lastDay))
        cells.add(cell, { weekday: isoWeekday(start), lastDay, ages, hasArrived: delivered !== undefined })
        return lastDay
      }
      const taken = count(model.fromSending, way.sending, sent)
      if (scanned !== undefined) count(model.fromScan, way.scan, scanned)
      if (delivered === undefined) continue
      const ofAge = 0.5 ** ((today - delivered) / disruptionHalfLifeDays)
      weight += ofAge
      const delay = working === planned ? 0 : Math.min(longest, planned.taken(sent, delivered)) - taken
      if (delay > 0) for (let day = 0; day <= delay; day += 1) heldUp.addDay(day, day === delay, ofAge)
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
  chanceBy(route: Route, progress: TransitState, latest: string, now: string): number | undefined {
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

/** Data that is looked up once for all journeys of a route. */
interface Way {
  carrier: string | null
  country: string | null
  sending: Cell
  scan: Cell
}

/** Predicted arrival of a parcel that sets off on a day. */
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
    // Nothing is known of a parcel that has taken longer than all known journeys.
    return before >= 1 ? 0 : Math.max(0, (this.shareAt(to) - before) / (1 - before))
  }
}

/** The days of a journey that are over by the morning of a day; undefined if there is nothing to learn from it. */
function knownOf(
  { sentAt, inTransitAt, deliveredAt }: Journey,
  today: Day,
): { sent: Day; scanned: Day | undefined; delivered: Day | undefined } | undefined {
  const sent = numberOf(sentAt)
  if (sent >= today || (deliveredAt && deliveredAt < sentAt)) return undefined
  const arrived = deliveredAt ? numberOf(deliveredAt) : today
  const scan = inTransitAt ? numberOf(inTransitAt) : today
  const scanned = scan >= sent && scan <= arrived && scan < today ? scan : undefined
  if (arrived < today) {
    const isUsable = arrived >= today - oldestDays && arrived - sent <= longestDays
    return isUsable ? { sent, scanned, delivered: arrived } : undefined
  }
  const isFollowed = today - sent <= (scanned === undefined ? longestUnscannedDays : longestDays)
  return isFollowed ? { sent, scanned, delivered: undefined } : undefined
}

function numberOf(instant: Date): Day {
  return Math.floor(instant.getTime() / dayMs)
}
