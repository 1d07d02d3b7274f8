import type { Context } from '../../platform/foundation/context.ts'
import type { Span } from '../../platform/foundation/tracing.ts'
import type { Postponement, SendResult } from '../queue/attempt.ts'
import type { Delivery } from '../queue/delivery.ts'

/** Sends a delivery to its receiver. If it throws, that is a fault of ours, and the delivery is tried again later. */
export interface Sender {
  /** The integration's name; undefined for webhooks. */
  integration?: string
  /** Attempts per second that the receiver allows; undefined: no limit. */
  requestsPerSecond?: number
  /** The signature has the time of the attempt, so that it can be computed again from the log. */
  send(context: Context, delivery: Delivery, startedAt: Date, span?: Span): Promise<SendResult | Postponement>
}

/** Bytes of a response body that the log of deliveries stores. */
export const maxLoggedBodyBytes = 1_024
