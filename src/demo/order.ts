import type { OrderAnalytics } from '../journey/orders/parts.ts'
import type { CustomerName } from './customers.ts'
import type { JourneyName, returnJourneys } from './journeys.ts'
import type { Line } from './products.ts'

/** One order of the demo shop. */
export interface DemoOrder {
  customer: CustomerName
  lines: readonly Line[]
  parcels: readonly DemoParcel[]
  /** Of an order of which nothing has been sent; the others were placed the day before their first parcel. */
  placedHoursAgo?: number
  /** Where more is to be sent than has been. */
  expectedParcels?: number
  segments?: string[]
  discount?: { code: string; percent: number }
  analytics?: OrderAnalytics
  /** What happened to the order before anything was sent. */
  news?: { event: string; hoursAgo: number }
  sentBack?: SentBack
  /** The shop's system calls it fulfilled, and has no number for it: a courier took it along. */
  isHandedOver?: boolean
}

export interface DemoParcel {
  carrier: string
  trackingNumber: string
  /** Working days. */
  sentDaysAgo: number
  journey: JourneyName
  /** The working day after hand-over on which it reaches its depot, where that is not the usual one. */
  arrival?: number
  /** It is handed over the moment the shop is made, whatever day that is. */
  isSentNow?: boolean
  /** Which lines of the order are in it; all, unless said. */
  lines?: readonly number[]
  /** Where it waits, or who took it, in the words of an event's additional_info. */
  pickup?: Record<string, unknown>
}

/** What the customer returns. */
export interface SentBack {
  carrier: string
  trackingNumber: string
  sentDaysAgo: number
  journey: keyof typeof returnJourneys
  lines: readonly number[]
}

export function dhl(
  trackingNumber: string,
  sentDaysAgo: number,
  journey: JourneyName,
  others: Partial<DemoParcel> = {},
): DemoParcel {
  return parcel('dhl', trackingNumber, sentDaysAgo, journey, others)
}

export function parcel(
  carrier: string,
  trackingNumber: string,
  sentDaysAgo: number,
  journey: JourneyName,
  others: Partial<DemoParcel> = {},
): DemoParcel {
  return { carrier, trackingNumber, sentDaysAgo, journey, ...others }
}

export const newsletter: OrderAnalytics = {
  source: 'newsletter',
  campaign: 'autumn-layers',
  medium: 'email',
  landing_path: '/collections/layers',
}
export const trackingPage: OrderAnalytics = {
  source: 'trackpages',
  campaign: 'warm-socks',
  medium: 'basic_promotion',
  landing_path: '/products/larch',
}
export const search: OrderAnalytics = {
  source: 'search',
  campaign: 'rain-jackets',
  medium: 'cpc',
  landing_path: '/products/tarn',
}

export const welcome = { code: 'WELCOME10', percent: 10 }
export const vip = { segments: ['vip', 'newsletter'] }
export const aroundTheClock = { monday: '00:00-24:00', saturday: '00:00-24:00', sunday: '00:00-24:00' }
