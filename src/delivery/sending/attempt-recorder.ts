import type { Context } from '../../platform/foundation/context.ts'
import { isTemporary } from '../../platform/store/errors.ts'
import type { Attempt } from '../queue/attempt.ts'
import { updateCircuits } from '../queue/circuit-store.ts'
import type { Delivery } from '../queue/delivery.ts'
import { recordHealth } from '../queue/health-store.ts'
import { postponeDeliveries, recordAttempts } from '../queue/record-store.ts'
import { ReceiverHealth } from './receiver-health.ts'
import type { ReceiverQueue } from './receiver-queue.ts'

interface Released {
  queue: ReceiverQueue
  delivery: Delivery
}

interface Ended extends Released {
  attempt: Attempt
}

interface Postponed extends Released {
  until: Date
}

/** An item that could not be written, with the error. */
interface Unwritten<Item extends Released = Released> {
  item: Item
  error: unknown
}

/** Attempts that one statement records. */
const batchSize = 500

/**
 * Collects ended attempts until they are written to the store, many at a time. If the store is gone or full, attempts
 * stay here until it is back: their outcome is known, so their receivers need not get them twice.
 */
export class AttemptRecorder {
  readonly #ended: Ended[] = []
  readonly #released: Released[] = []
  readonly #postponed: Postponed[] = []
  readonly #health = new ReceiverHealth()
  #isBlocked = false

  /** Whether the store could not record ended attempts. Until it can, nothing more should be fetched. */
  get isBlocked(): boolean {
    return this.#isBlocked
  }

  get hasMore(): boolean {
    return this.#ended.length + this.#released.length + this.#postponed.length > 0
  }

  add(queue: ReceiverQueue, attempt: Attempt): void {
    this.#ended.push({ queue, delivery: attempt.delivery, attempt })
  }

  /** A delivery that was not sent, and goes back to the store. */
  release(queue: ReceiverQueue, delivery: Delivery): void {
    this.#released.push({ queue, delivery })
  }

  /** A delivery that must not be sent before then. */
  postpone(queue: ReceiverQueue, delivery: Delivery, until: Date): void {
    this.#postponed.push({ queue, delivery, until })
  }

  takeReleased(): Released[] {
    return this.#released.splice(0)
  }

  /**
   * Writes a batch of ended attempts. If it `mayWait`, attempts that the store cannot record now stay here; all others
   * that it rejects are returned.
   */
  async write(
    context: Context,
    mayWait: boolean,
  ): Promise<{ written: Released[]; rejected: Released[]; error: unknown }> {
    const ended = this.#ended.splice(0, batchSize)
    const postponed = this.#postponed.splice(0, batchSize)
    const unended = await writeParts(ended, (part) =>
      recordAttempts(
        context,
        part.map(({ attempt }) => attempt),
      ),
    )
    const unpostponed = await writeParts(postponed, (part) => postponeDeliveries(context, part))
    const unwritten = new Set<Released>([...unended, ...unpostponed].map(({ item }) => item))
    for (const each of ended) if (!unwritten.has(each)) this.#health.add(each.attempt)

    const waits = ({ error }: Unwritten) => mayWait && isTemporary(error)
    this.#ended.unshift(...unended.filter(waits).map(({ item }) => item))
    this.#postponed.unshift(...unpostponed.filter(waits).map(({ item }) => item))
    const failures: Unwritten[] = [...unended, ...unpostponed]
    this.#isBlocked = failures.some(waits)
    return {
      written: [...ended, ...postponed].filter((each) => !unwritten.has(each)),
      rejected: failures.filter((each) => !waits(each)).map(({ item }) => item),
      error: failures[0]?.error,
    }
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

/** Writes all of them at once. If the store rejects that, it rejects one of them, which is found by halves. */
async function writeParts<Item extends Released>(
  items: Item[],
  write: (part: Item[]) => Promise<void>,
): Promise<Unwritten<Item>[]> {
  if (items.length === 0) return []
  try {
    await write(items)
    return []
  } catch (error) {
    if (items.length === 1 || isTemporary(error)) return items.map((item) => ({ item, error }))
    const half = items.length >> 1
    return [...(await writeParts(items.slice(0, half), write)), ...(await writeParts(items.slice(half), write))]
  }
}
