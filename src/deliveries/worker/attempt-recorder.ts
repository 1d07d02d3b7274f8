import type { Context } from '../../foundation/context.ts'
import type { Attempt } from '../attempt.ts'
import { updateCircuits } from '../circuit-store.ts'
import type { Delivery } from '../delivery.ts'
import { recordHealth } from '../health-store.ts'
import { postponeDeliveries, recordAttempts } from '../record-store.ts'
import { ReceiverHealth } from './receiver-health.ts'
import type { ReceiverQueue } from './receiver-queue.ts'

interface Ended {
  queue: ReceiverQueue
  attempt: Attempt
}

interface Released {
  queue: ReceiverQueue
  delivery: Delivery
}

interface Postponed extends Released {
  until: Date
}

/** Attempts that one statement records. */
const batchSize = 500

/** Collects what has ended until it is written to the store, many at a time. */
export class AttemptRecorder {
  readonly #ended: Ended[] = []
  readonly #released: Released[] = []
  readonly #postponed: Postponed[] = []
  readonly #health = new ReceiverHealth()

  get hasMore(): boolean {
    return this.#ended.length + this.#released.length + this.#postponed.length > 0
  }

  add(queue: ReceiverQueue, attempt: Attempt): void {
    this.#ended.push({ queue, attempt })
  }

  /** A delivery that was not sent, and goes back to the store. */
  release(queue: ReceiverQueue, delivery: Delivery): void {
    this.#released.push({ queue, delivery })
  }

  /** A delivery that may not leave before then. */
  postpone(queue: ReceiverQueue, delivery: Delivery, until: Date): void {
    this.#postponed.push({ queue, delivery, until })
  }

  take(): { attempts: Ended[]; released: Released[]; postponed: Postponed[] } {
    return {
      attempts: this.#ended.splice(0, batchSize),
      released: this.#released.splice(0),
      postponed: this.#postponed.splice(0, batchSize),
    }
  }

  async write(context: Context, ended: Ended[]): Promise<void> {
    if (ended.length === 0) return
    await recordAttempts(
      context,
      ended.map(({ attempt }) => attempt),
    )
    for (const { attempt } of ended) this.#health.add(attempt)
  }

  async writePostponed(context: Context, postponed: Postponed[]): Promise<void> {
    await postponeDeliveries(context, postponed)
  }

  /** Stores how receivers do. If it fails, these figures are lost: the attempts themselves are in the log. */
  async writeHealth(context: Context): Promise<void> {
    const results = this.#health.take()
    try {
      await recordHealth(context, results)
      await updateCircuits(context, results, context.now)
    } catch (err) {
      context.log.error({ err }, 'the health of receivers could not be recorded')
    }
  }
}
