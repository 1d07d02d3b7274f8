import { dayMs, minuteMs, secondMs } from '../../platform/foundation/clock.ts'

/**
 * An endpoint that keeps failing is not sent one delivery after the other, each using up its attempts. Its circuit opens:
 *
 *            `failures` in a row, for `failingForMs`
 *   closed ───────────────────────────────────────────► open ◄───────────┐
 *     ▲                                                   │ probe_at      │ it fails: the next one after twice the pause
 *     │               it succeeds                         ▼               │
 *     └──────────────────────────────────────────────── probing ─────────┘
 *
 * - closed: everything is sent; the usual retry schedule applies.
 * - open: deliveries wait in the queue, in their order, and use up no attempts. The endpoint's status stays active.
 * - probing: one delivery was sent to find out whether the receiver is back. It is an attempt like any other. The state
 *   is not stored: the next probe has its time before this one is sent, so that a worker which dies delays nothing.
 *
 * When the circuit closes, retries that were planned for later are due at once: they precede what waited. Resending, a test
 * message, and a new address, header or status make the next probe due at once.
 *
 * The state is three columns of `webhook_endpoints`, so that all nodes agree. A fetch reads with the endpoint whether it is
 * open, and a delivery that succeeds writes none of them.
 */
export const circuitPolicy = {
  /** More than the attempts of one delivery: a single one that is rejected for its content never opens it. */
  failures: 20,
  /** A receiver that is being restarted fails for a moment only. */
  failingForMs: minuteMs,
  firstProbeMs: 30 * secondMs,
  /** Each pause is this many times the one before … */
  growth: 2,
  /** … up to this: the longest that a receiver waits after it is back. */
  maxProbeMs: 30 * minuteMs,
  /** A delivery that has waited longer becomes a dead letter, which can be resent: no queue outgrows what is kept. */
  waitsAtMostMs: 7 * dayMs,
  /** Deliveries that one statement brings forward or gives up. */
  batch: 1_000,
} as const

/** The pauses after the first probe, the second and so on; after more than these, the last one. */
export const probePausesMs: readonly number[] = listPauses()

function listPauses(): number[] {
  const { firstProbeMs, growth, maxProbeMs } = circuitPolicy
  const pauses: number[] = []
  for (let pauseMs = firstProbeMs * growth; pauseMs < maxProbeMs; pauseMs *= growth) pauses.push(pauseMs)
  return [...pauses, maxProbeMs]
}
