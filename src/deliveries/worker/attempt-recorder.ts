import type { Context } from '../../foundation/context.ts'
import type { Attempt } from '../attempt.ts'
import type { Delivery } from '../delivery.ts'
import { recordHealth } from '../health-store.ts'
import { recordAttempts } from '../record-store.ts'
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

/** Attempts that one statement records. */
const batchSize = 500

/** Collects what has ended until it is written to the store, many at a time. */
export class AttemptRecorder {
  readonly #ended: Ended[] = []
  readonly #released: Released[] = []
  readonly #health = new ReceiverHealth()

  get hasMore(): boolean {
    return this.#ended.length + this.#released.length > 0
  }

  add(queue: ReceiverQueue, attempt: Attempt): void {
    this.#ended.push({ queue, attempt })
  }

  /** A delivery that was not sent, and goes back to the store. */
  release(queue: ReceiverQueue, delivery: Delivery): void {
    this.#released.push({ queue, delivery })
  }

  take(): { attempts: Ended[]; released: Released[] } {
    return { attempts: this.#ended.splice(0, batchSize), released: this.#released.splice(0) }
  }

  async write(context: Context, ended: Ended[]): Promise<void> {
    if (ended.length === 0) return
    await recordAttempts(
      context,
      ended.map(({ attempt }) => attempt),
    )
    for (const { attempt } of ended) this.#health.add(attempt)
  }

  /** Stores how receivers do. If it fails, these figures are lost: the attempts themselves are in the log. */
  async writeHealth(context: Context): Promise<void> {
    await recordHealth(context, this.#health.take()).catch((err) =>
      context.log.error({ err }, 'the health of receivers could not be recorded'),
    )
  }
}
