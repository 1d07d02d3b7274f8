export const requestKinds = ['order', 'event', 'page view', 'page address', 'get of an order', 'search'] as const
export type RequestKind = (typeof requestKinds)[number]

export interface Step {
  kind: RequestKind
  event?: string
}

/** The steps of an order, and the seconds after which they happen. Customers view the page after each message. */
export const journey: [afterSeconds: number, step: Step][] = [
  [1, { kind: 'page address' }],
  [2, { kind: 'page view' }],
  [3, { kind: 'get of an order' }],
  [10, { kind: 'event', event: 'PARCEL_DISPATCHED' }],
  [12, { kind: 'page view' }],
  [20, { kind: 'event', event: 'ARRIVED_AT_SORTING_CENTER' }],
  [24, { kind: 'search' }],
  [30, { kind: 'event', event: 'OUT_FOR_DELIVERY' }],
  [31, { kind: 'page view' }],
  [34, { kind: 'page view' }],
  [40, { kind: 'event', event: 'SUCCESSFULLY_DELIVERED' }],
  [45, { kind: 'page view' }],
]
/** Requests of one order, its own included. */
export const requestsPerOrder = journey.length + 1
export const eventsPerOrder = journey.filter(([, { kind }]) => kind === 'event').length
