import type { ShopDays } from '../../platform/calendars/calendars.ts'
import type { Day } from '../../platform/calendars/days.ts'
import { dayMs } from '../../platform/foundation/clock.ts'
import { type CarrierDays, CountryDays } from './carrier-days.ts'
import type { FinishedJourney, Route } from './journeys.ts'
import { type Window, windowAt } from './window.ts'

/** Ways to promise without a model. */
export type BaselineName = 'carrier_table' | 'fixed_days' | 'plain_percentile'

/** Fewer are no sample of their own. */
const leastJourneys = 20

/** Days that journeys took, sorted: of all, and by carrier, service and country. */
class Sample {
  private readonly groups = new Map<string, number[]>()
  private readonly all: number[] = []

  constructor(journeys: Iterable<FinishedJourney>, taken: (journey: FinishedJourney) => number) {
    for (const journey of journeys) {
      const days = taken(journey)
      const name = nameOf(journey)
      const group = this.groups.get(name)
      if (group) group.push(days)
      else this.groups.set(name, [days])
      this.all.push(days)
    }
    for (const group of [this.all, ...this.groups.values()]) group.sort((one, other) => one - other)
  }

  of(route: Route | undefined): number[] {
    const group = route && this.groups.get(nameOf(route))
    return group && group.length >= leastJourneys ? group : this.all
  }
}

/**
 * Three ways to promise. All count working days of the destination and use the same shares of past parcels; they differ
 * in which parcels they use, and when. The table of a carrier (days for each service and country) and the fixed days
 * (the same for all) are set before the first promise; the plain percentile is that of all parcels of the carrier, service
 * and country (20 at least, or else of all) that were delivered before.
 */
export class Baselines {
  private readonly calendars = new Map<string | null, CarrierDays>()
  private readonly span: { first: Day; last: Day }
  private readonly shopDays: ShopDays
  private readonly atFirst: Sample
  private until: Sample

  constructor(known: FinishedJourney[], span: { first: Day; last: Day }, shopDays: ShopDays = {}) {
    this.span = span
    this.shopDays = shopDays
    this.atFirst = this.sampleOf(known)
    this.until = this.atFirst
  }

  /** Learns from the journeys that have been delivered by now. */
  learn(known: FinishedJourney[]): void {
    this.until = this.sampleOf(known)
  }

  /** The windows of a parcel at each percentile; undefined where nothing is known. */
  windows(route: Route, sent: Day, percentiles: number[]): Record<BaselineName, Window[] | undefined> {
    const days = this.daysOf(route.destinationCountry)
    return {
      carrier_table: windowsOf(this.atFirst.of(route), days, sent, percentiles),
      fixed_days: windowsOf(this.atFirst.of(undefined), days, sent, percentiles),
      plain_percentile: windowsOf(this.until.of(route), days, sent, percentiles),
    }
  }

  private sampleOf(journeys: FinishedJourney[]): Sample {
    return new Sample(journeys, ({ destinationCountry, sentAt, deliveredAt }) =>
      this.daysOf(destinationCountry).taken(Math.floor(+sentAt / dayMs), Math.floor(+deliveredAt / dayMs)),
    )
  }

  private daysOf(country: string | null): CarrierDays {
    const { first, last } = this.span
    const days =
      this.calendars.get(country) ??
      new CountryDays(country, first, last + 400, this.shopDays).without(this.shopDays.weekend ?? [6, 7])
    this.calendars.set(country, days)
    return days
  }
}

function windowsOf(sample: number[], days: CarrierDays, sent: Day, percentiles: number[]): Window[] | undefined {
  if (sample.length === 0) return undefined
  const numberAt = (share: number) => days.add(sent, sample[Math.max(0, Math.ceil(share * sample.length) - 1)] ?? 0)
  return percentiles.map((percentile) => windowAt(numberAt, percentile))
}

function nameOf({ carrier, service, destinationCountry }: Route): string {
  return `${carrier}\n${service}\n${destinationCountry}`
}
