import { type Histogram, sumOf } from './numbers.ts'

/** The figures of a shop on one day in UTC. Figures of a period are sums of these. */
export interface DayFigures {
  orders: { placed: number; nothing_to_send: number; handed_over_without_tracking: number }
  /** Shipments created on the day, by what they are now. */
  shipments: { phase: string; flag: string; count: number }[]
  /** Of these, drafts that still have to be sent. */
  waiting: number
  /** Shipments delivered on the day. */
  carriers: CarrierFigures[]
  failed_attempts: number
  claims: { reason: string; status: string; count: number }[]
  /** Deliveries queued on the day, by what they are now. */
  notifications: { target: string; status: string; count: number }[]
  views: ViewCount[]
  attributed: AttributedOrders[]
}

export interface CarrierFigures {
  carrier: string | null
  /** Shipments to customers. */
  delivered: number
  /** Of these, the ones with an expected delivery, and those that met it. */
  expected: number
  on_time: number
  /** Journeys by their length in hours. Not those that were delivered before they were sent. */
  transit: Histogram
  /** Accuracy of predicted windows, as the delivery window report counts it. */
  predicted: number
  early: number
  held: number
  late: number
}

export interface ViewCount {
  subject_id: string
  action: string
  count: number
}

export interface AttributedOrders {
  /** The campaign's id or name, as the order has it; null if it has none, or if the day has too many. */
  campaign: string | null
  currency: string
  orders: number
  revenue: number
}

/** A day of one shop. */
export interface CountedDay {
  shopId: string
  date: string
  figures: DayFigures
}

/** How many rows were counted, which is what it costs to count the day again. */
export function sizeOf(figures: DayFigures): number {
  return (
    figures.orders.placed +
    sumOf(figures.shipments) +
    figures.carriers.reduce((sum, { delivered }) => sum + delivered, 0) +
    figures.failed_attempts +
    sumOf(figures.claims) +
    sumOf(figures.notifications) +
    sumOf(figures.views)
  )
}

/** Whether deliveries of the day are unfinished: their status will change without any other trace. */
export function isOpen(figures: DayFigures): boolean {
  return figures.notifications.some(({ status }) => status === 'pending')
}
