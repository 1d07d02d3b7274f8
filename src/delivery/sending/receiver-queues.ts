import type { Receiver } from '../queue/delivery.ts'
import { Capacity } from './capacity.ts'
import { receiverQueuePolicy as policy } from './policy.ts'
import { ReceiverQueue } from './receiver-queue.ts'

/** The queues of a worker, one for each known receiver. */
export class ReceiverQueues {
  readonly capacity = new Capacity<ReceiverQueue>()
  readonly #queues = new Map<string, ReceiverQueue>()

  get({ shopId, receiverId }: Receiver): ReceiverQueue {
    const key = `${shopId} ${receiverId}`
    const known = this.#queues.get(key)
    if (known) return known
    if (this.#queues.size >= policy.maxQueues) this.#removeIdle()
    const queue = new ReceiverQueue({ shopId, receiverId }, this.capacity)
    this.#queues.set(key, queue)
    return queue
  }

  all(): Iterable<ReceiverQueue> {
    return this.#queues.values()
  }

  /** Starts a fetch in every queue that is ready and has capacity; returns them with how much each wants. */
  startFetches(): { queue: ReceiverQueue; limit: number }[] {
    let available = this.capacity.fetchable
    const started: { queue: ReceiverQueue; limit: number }[] = []
    for (const queue of this.#queues.values()) {
      if (available <= 0) break
      const limit = queue.fetchLimit(available)
      if (limit <= 0) continue
      queue.startFetch(limit)
      available -= limit
      started.push({ queue, limit })
    }
    return started
  }

  #removeIdle(): void {
    for (const [key, queue] of this.#queues) if (queue.isRemovable) this.#queues.delete(key)
  }
}
