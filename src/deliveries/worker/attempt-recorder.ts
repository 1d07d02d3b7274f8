import type { Context } from '../../foundation/context.ts'
import type { Attempt } from '../attempt.ts'
import type { Delivery } from '../delivery.ts'
import { recordAttempts, recordHealth } from '../record-store.ts'
import { EndpointHealth } from './endpoint-health.ts'
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
  readonly #health = new EndpointHealth()

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
    const attempts = ended.map(({ attempt }) => attempt)
    await recordAttempts(context, attempts)
    const changed = this.#health.changes(attempts)
    if (changed.length === 0) return
    // The attempts are recorded; the next ones say again how the endpoint does.
    await recordHealth(context, changed).catch((err) =>
      context.log.error({ err }, 'the health of endpoints could not be recorded'),
    )
  }
}
