import type { ShopDays } from '../../platform/calendars/calendars.ts'

/** The route of a parcel, as far as it is known. */
export interface Route {
  carrier: string | null
  service: string | null
  originCountry: string | null
  destinationCountry: string | null
  destinationZip: string | null
}

/** A parcel on its way, as far as it is known. */
export interface Journey extends Route {
  sentAt: Date
  /** The first scan on its way, if there was one. */
  inTransitAt: Date | null
  /** null: it is still in transit. */
  deliveredAt: Date | null
}

/** One delivered parcel. */
export interface FinishedJourney extends Journey {
  deliveredAt: Date
}

/** Source of figures, narrowest first. `table`: the shop's own figures for a method, no journeys. */
export type Basis = 'route' | 'country' | 'carrier' | 'shop' | 'table'

/** Distribution of the day on which a parcel arrives. Days are YYYY-MM-DD. */
export interface DayDistribution {
  basis: Basis
  /** How many journeys of the basis were learnt from. */
  sampleSize: number
  /** The share of parcels that arrive on that day or before. */
  shareBy(day: string): number
  /** The first day by which at least this share has arrived. */
  dayAt(share: number): string
  /** The day on which most arrive. */
  likeliest: string
}

export interface LearnOptions {
  /** The day that has just begun. What happened on it or later is not known, and newer journeys weigh more. */
  asOf: Date
  /** The shop's own days, added to the public holidays of each country. */
  shopDays?: ShopDays
}

/** Known facts about a parcel in transit. */
export interface TransitState {
  sentOn: string
  /** The day of its first scan on its way. */
  inTransitOn: string | null
  isOutForDelivery: boolean
}
