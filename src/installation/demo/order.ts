import type { OrderAnalytics } from '../../orders/orders/parts.ts'
import type { CustomerName } from './customers.ts'
import type { JourneyName, returnJourneys } from './journeys.ts'
import type { Line } from './products.ts'

/** One order of the demo shop. */
export interface DemoOrder {
  customer: CustomerName
  lines: readonly Line[]
  parcels: readonly DemoParcel[]
  /** For an order without parcels; others were placed the day before their first parcel. */
  placedHoursAgo?: number
  /** If more parcels are expected than have been sent. */
  expectedParcels?: number
  segments?: string[]
  discount?: { code: string; percent: number }
  analytics?: OrderAnalytics
  /** An event of the order before anything was sent. */
  priorEvent?: { event: string; hoursAgo: number }
  sentBack?: SentBack
  /** The shop system reports it as fulfilled without a tracking number: a courier collected it. */
  isHandedOver?: boolean
}

export interface DemoParcel {
  carrier: string
  trackingNumber: string
  /** Working days. */
  sentDaysAgo: number
  journey: JourneyName
  /** The working day after hand-over on which it reaches its depot, if not the usual one. */
  arrival?: number
  /** Handed over when the demo is created, whatever the weekday. */
  isSentNow?: boolean
  /** The order lines it contains; default: all. */
  lines?: readonly number[]
  /** The pick-up point or the recipient, in the form of an event's additional_info. */
  pickup?: Record<string, unknown>
}

/** A return. */
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
  return { carrier: 'dhl', trackingNumber, sentDaysAgo, journey, ...others }
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
