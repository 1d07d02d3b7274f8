import type { Span } from '../../platform/foundation/tracing.ts'

/**
 * Receiver of a delivery. `receiverId`: an endpoint's id, an integration's name, or an address that an automation
 * names.
 */
export interface Receiver {
  shopId: string
  receiverId: string
}

/** A delivery that a worker has fetched, with everything needed to send it. */
export interface Delivery extends Receiver {
  id: string
  notificationId: string
  eventGroup: string
  /** Number of the attempt that comes next. */
  attemptNumber: number
  /** The same, counted from the last resend: the retry schedule starts again there. */
  attemptSinceResend: number
  /** The payload as it is sent, in UTF-8. */
  body: Buffer
  endpoint: Endpoint | null
}

/** A merchant's endpoint as it is called, its secrets sealed. */
export interface Endpoint {
  /** The address, or its stand-in if it is sealed. */
  url: string
  sealedUrl: Buffer | null
  secret: Buffer
  formerSecret: Buffer | null
  formerSecretUntil: Date | null
  /** Headers of its own; null: none. */
  headers: Buffer | null
  /** Null unless its circuit is open. */
  circuitOpenedAt: Date | null
}

/** The receiver that represents a shop's customers, who get e-mail. */
export const mailReceiver = 'smtp' as const

/** The receiver that represents all automations of a shop. */
export const automationsReceiver = 'automations'

/** Whether the receiver is an address that an automation names, and not an endpoint or an integration. */
export function isAddress(receiverId: string): boolean {
  return receiverId.includes('://')
}

/** The delivery workers of this process, as seen by the code that enqueues. */
export interface DeliveryWorkers {
  /** Identifies this process among all nodes. */
  id: string
  /** How many deliveries to this receiver can be handed over in memory right now. */
  capacityFor(receiver: Receiver): number
  /** Sends deliveries that were leased for this process as they were enqueued. */
  dispatch(deliveries: Delivery[], leasedAt: Date, cause: Span | undefined): void
  /** These receivers have deliveries waiting in the store. */
  wake(receivers: Receiver[]): void
}

declare module '../../platform/foundation/services.ts' {
  interface Services {
    /** The workers of this process that send deliveries. */
    readonly deliveries: DeliveryWorkers
  }
}

/** For a node that only serves requests: other nodes do the sending. */
export const noDeliveryWorkers: DeliveryWorkers = {
  id: '',
  capacityFor: () => 0,
  dispatch() {},
  wake() {},
}
