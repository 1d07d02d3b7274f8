import type { Context } from './context.ts'
import type { Services } from './services.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { inSpan, type Span } from './tracing.ts'

/** A set-based write: accepts a list and returns an outcome for each item, in order. */
export type SetWrite<Item, Outcome> = (context: Context, items: Item[]) => Promise<Outcome[]>

interface Waiting<Item, Outcome> {
  context: Context
  item: Item
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

const maxBatch = 250
/** Two, so that one batch is decided here while the other is in the store. */
const maxInFlight = 2

/**
 * Joins the writes of requests that are in flight at the same moment into one statement and one commit. There is no
 * timer: what arrives in one iteration of the event loop is one batch, and what queues up meanwhile is the next. Measured
 * for "create event" at 32 and 128 in flight: 2.4 and 3.6 times the throughput at less than half the latency.
 *
 * A second batch waits until it is as large as the first, or the first has ended. Started at once, it would be small,
 * and each batch costs the same statements: at 32 in flight, batches of 10 orders, and a fifth more processor time for
 * each order.
 *
 * Inside a transaction there is nothing to join, so the write runs alone.
 */
export function coalesced<Item, Outcome>(
  write: SetWrite<Item, Outcome>,
): (context: Context, item: Item) => Promise<Outcome> {
  // Not a cache: a queue belongs to this function and to one service, and nothing in it outlives its requests.
  const queues = new WeakMap<Services, Queue<Item, Outcome>>()
  return async (context, item) => {
    if (context.afterCommit) return only(await write(context, [item]))
    let queue = queues.get(context.services)
    if (queue === undefined) {
      queue = new Queue(write)
      queues.set(context.services, queue)
    }
    return queue.add(context, item)
  }
}

class Queue<Item, Outcome> {
  readonly #write: SetWrite<Item, Outcome>
  #waiting: Waiting<Item, Outcome>[] = []
  #inFlight = 0
  #itemsInFlight = 0
  #isGathering = false

  constructor(write: SetWrite<Item, Outcome>) {
    this.#write = write
  }

  add(context: Context, item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ context, item, resolve, reject })
      this.#gather()
    })
  }

  /** Starting at once would make the first item a batch of its own, at the cost of a whole one. */
  #gather(): void {
    if (this.#isGathering || this.#inFlight >= maxInFlight) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      this.#next()
    })
  }

  #next(): void {
    if (this.#inFlight >= maxInFlight || this.#waiting.length === 0) return
    if (this.#waiting.length < this.#itemsInFlight) return
    const batch = this.#waiting.slice(0, maxBatch)
    this.#waiting = this.#waiting.slice(maxBatch)
    this.#inFlight += 1
    this.#itemsInFlight += batch.length
    this.#run(batch).finally(() => {
      this.#inFlight -= 1
      this.#itemsInFlight -= batch.length
      this.#gather()
    })
    // If more are waiting than fit in one batch, the second begins at once.
    this.#next()
  }

  async #run(batch: Waiting<Item, Outcome>[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    try {
      const outcomes = await this.#writeAll(first.context, batch)
      for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] as Outcome) // one for each item
    } catch (error) {
      // Whether it was written may be unknown then, and to write it again would report it as a duplicate.
      if (batch.length === 1 || error instanceof StoreUnavailable) for (const waiting of batch) waiting.reject(error)
      // One bad item must not fail the others: each is tried alone.
      else for (const waiting of batch) await this.#run([waiting])
    }
  }

  #writeAll(context: Context, batch: Waiting<Item, Outcome>[]): Promise<Outcome[]> {
    const items = batch.map(({ item }) => item)
    const span = context.services.tracing && beginWrite(this.#write.name, batch)
    if (span === undefined) return this.#write(context, items)
    return inSpan(span, () => this.#write({ ...context, span }, items))
  }
}

/** A part of the first request that is traced, linked to the others. */
function beginWrite(name: string, batch: { context: Context }[]): Span | undefined {
  const [first, ...links] = batch.flatMap(({ context: { span } }) => (span?.isRecorded ? [span] : []))
  return first?.begin(name, { links, attributes: { 'doorstep.batch.size': batch.length } })
}

function only<Outcome>(outcomes: Outcome[]): Outcome {
  return outcomes[0] as Outcome // a write returns an outcome for each item
}
