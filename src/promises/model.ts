import { type Day, dateOf, dayOf } from '../calendars/days.ts'
import { dayMs } from '../foundation/clock.ts'
import { type CarrierDays, CountryDays } from './carrier-days.ts'
import type { Basis, DayDistribution, FinishedJourney, LearnOptions, Progress, Route } from './journeys.ts'

const longest = 60

/** Learns from finished journeys when parcels arrive. */
export class TransitModel {
  private readonly counts = new Map<string, Float64Array>()
  private readonly calendars = new Map<string | null, CarrierDays>()
  private readonly options: LearnOptions

  private constructor(options: LearnOptions) {
    this.options = options
  }

  static learn(journeys: Iterable<FinishedJourney>, options: LearnOptions): TransitModel {
    const model = new TransitModel(options)
    for (const journey of journeys) {
      if (journey.deliveredAt >= options.asOf || journey.deliveredAt < journey.sentAt) continue
      const days = model.daysOf(journey.destinationCountry)
      const taken = Math.min(longest, days.taken(numberOf(journey.sentAt), numberOf(journey.deliveredAt)))
      for (const [, name] of namesOf(journey)) {
        const counts = model.counts.get(name) ?? new Float64Array(longest + 1)
        counts[taken] = (counts[taken] ?? 0) + 1
        model.counts.set(name, counts)
      }
    }
    return model
  }

  /** Undefined without any journey: there is no promise without a basis. */
  predict(route: Route, sentOn: string): DayDistribution | undefined {
    const found = namesOf(route).find(([, name]) => this.counts.has(name))
    const counts = found && this.counts.get(found[1])
    if (found === undefined || counts === undefined) return undefined
    const sampleSize = counts.reduce((sum, count) => sum + count, 0)
    const days = this.daysOf(route.destinationCountry)
    const sent = dayOf(sentOn)
    const shareAt = (taken: number) => counts.slice(0, taken + 1).reduce((sum, count) => sum + count, 0) / sampleSize
    return {
      basis: found[0],
      sampleSize,
      shareBy: (day) => (dayOf(day) < sent ? 0 : shareAt(days.between(sent, dayOf(day)))),
      dayAt: (share) => {
        let taken = 0
        while (taken < longest && shareAt(taken) < share) taken += 1
        return dateOf(days.add(sent, taken))
      },
      likeliest: dateOf(days.add(sent, counts.indexOf(Math.max(...counts)))),
    }
  }

  /** How likely a parcel that was not delivered before the day `now` arrives by the end of `latest`. */
  chanceBy(route: Route, progress: Progress, latest: string, now: string): number | undefined {
    const distribution = this.predict(route, progress.sentOn)
    if (distribution === undefined) return undefined
    if (latest < now) return 0
    const gone = distribution.shareBy(dateOf(dayOf(now) - 1))
    return gone >= 1 ? 0 : (distribution.shareBy(latest) - gone) / (1 - gone)
  }

  private daysOf(country: string | null): CarrierDays {
    const today = numberOf(this.options.asOf)
    const days =
      this.calendars.get(country) ??
      new CountryDays(country, today - 1_200, today + 400, this.options.shopDays).without([6, 7])
    this.calendars.set(country, days)
    return days
  }
}

function namesOf(route: Route): [Basis, string][] {
  const carrier = `c ${route.carrier}`
  const country = `${carrier} ${route.service} ${route.originCountry} ${route.destinationCountry}`
  const names: [Basis, string][] = [
    ['country', country],
    ['carrier', carrier],
    ['shop', 's'],
  ]
  return route.destinationZip ? [['route', `${country} ${route.destinationZip.slice(0, 2)}`], ...names] : names
}

function numberOf(instant: Date): Day {
  return Math.floor(instant.getTime() / dayMs)
}
