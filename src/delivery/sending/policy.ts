import { secondMs } from '../../platform/foundation/clock.ts'

/**
 * How much a worker sends at once and has in memory. A queue reads further ahead while its receiver is fast, so that a
 * backlog needs few statements, and no further than its concurrency while the receiver is slow.
 */
export const receiverQueuePolicy = {
  /** Attempts in flight to one receiver. */
  concurrency: 16,
  /** Attempts in flight to a receiver that works fast through a backlog. */
  fastConcurrency: 32,
  /** Attempts in flight to all receivers: enough for many that hang, each up to its time limit. */
  totalConcurrency: 2_000,
  /** Deliveries of one receiver that wait in memory behind those in flight. */
  maxWaiting: 368,
  /** Deliveries of all receivers that wait in memory. */
  maxWaitingInTotal: 10_000,
  /**
   * A queue is handed no more than it sends in this time: deliveries that wait too long are released and fetched again.
   */
  handOverMs: secondMs,
  /** A delivery that waited longer than this is released: the endpoint may have changed since it was read. */
  maxWaitMs: 2 * secondMs,
  /** Deliveries that one fetch brings, all receivers together. */
  maxFetch: 400,
  /** If two full fetches are closer together than this, the queue reads twice as far ahead … */
  fastFetchMs: 50,
  /** … and if they are further apart than this, half as far. */
  slowFetchMs: 200,
  /** Weight of the newest interval in the average time between two ends. */
  intervalWeight: 0.1,
  /** That average before anything is known. */
  initialIntervalMs: 5,
  /** Above this number, idle queues are removed. */
  maxQueues: 20_000,
} as const
