import type { Span } from '../foundation/tracing.ts'

/** A delivery that a worker has taken, with everything needed to send it. */
export interface TakenDelivery {
  shopId: string
  id: string
  target: string
  notificationId: string
  eventGroup: string
  /** Of the attempt that is to be made. */
  number: number
  /** The same, counted from when it was last resent. */
  numberOfSchedule: number
  /** The payload as it is sent, in UTF-8. */
  body: Buffer
  endpoint: Endpoint | null
}

/** A merchant's endpoint as it is called, its secrets sealed. */
export interface Endpoint {
  url: string
  secret: Buffer
  formerSecret: Buffer | null
  formerSecretUntil: Date | null
}

/** A receiver that has something waiting. */
export interface WokenTarget {
  shopId: string
  target: string
}

/** The workers of this process that carry deliveries out, as whoever queues them sees them. */
export interface DeliveryWorkers {
  /** Tells this process from the other nodes. */
  id: string
  /** How many deliveries to this receiver can begin at once. */
  roomFor(shopId: string, target: string): number
  /** Begins deliveries that were taken in this process's name as they were queued, by the work that caused them. */
  carryOut(deliveries: TakenDelivery[], takenAt: Date, cause: Span | undefined): void
  wake(targets: WokenTarget[]): void
}

declare module '../foundation/services.ts' {
  interface Services {
    /** The workers of this process that send deliveries. */
    readonly deliveries: DeliveryWorkers
  }
}

/** Of a node that only answers: others do the work. */
export const noDeliveryWorkers: DeliveryWorkers = {
  id: '',
  roomFor: () => 0,
  carryOut() {},
  wake() {},
}
