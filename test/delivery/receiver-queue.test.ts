import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../src/delivery/queue/delivery.ts'
import type { ReceiverQueue, WaitingDelivery } from '../../src/delivery/sending/receiver-queue.ts'
import { ReceiverQueues } from '../../src/delivery/sending/receiver-queues.ts'

let made = 0

/** Another delivery that was fetched. */
function newWaiting(): WaitingDelivery {
  made += 1
  const delivery = { shopId: 'shop', receiverId: 'endpoint', id: String(made) } as Delivery // the fields that queues read
  return { delivery, fetchedAt: new Date() }
}

function makeQueue(): { queues: ReceiverQueues; queue: ReceiverQueue } {
  const queues = new ReceiverQueues()
  return { queues, queue: queues.get({ shopId: 'shop', receiverId: 'endpoint' }) }
}

/** Sends everything in the queue, successfully, and records it. */
function drain(queue: ReceiverQueue, nowMs: number): void {
  for (let next = queue.startNext(nowMs); next; next = queue.startNext(nowMs)) {
    queue.end(true, nowMs)
    queue.recorded(next.delivery.id)
  }
}

/** Fetches from an endless backlog at the given interval; yields the size of each fetch. */
function* fetches(queues: ReceiverQueues, queue: ReceiverQueue, everyMs: number): Generator<number> {
  for (let nowMs = performance.now(); ; nowMs += everyMs) {
    queue.wake()
    const [fetch] = queues.startFetches()
    const limit = fetch?.limit ?? 0
    for (let fetched = 0; fetched < limit; fetched += 1) queue.add(newWaiting())
    if (fetch) queue.endFetch(limit, nowMs)
    drain(queue, nowMs)
    yield limit
  }
}

const first = (count: number, fetched: Generator<number>) => Array.from({ length: count }, () => fetched.next().value)

describe('receiver queue › fetches', () => {
  it('more each time while its receiver works quickly through a backlog, up to a bound', () => {
    const { queues, queue } = makeQueue()
    expect(first(9, fetches(queues, queue, 10))).toEqual([16, 16, 48, 64, 96, 160, 288, 400, 400])
    expect(queue.pace).toBe('fast')
  })

  it('no more than it sends at once while its receiver is slow', () => {
    const { queues, queue } = makeQueue()
    expect(first(4, fetches(queues, queue, 300))).toEqual([16, 16, 16, 16])
    expect(queue.pace).toBe('steady')
    expect(first(4, fetches(queues, queue, 10)).at(-1)).toBeGreaterThan(16)
    expect(first(8, fetches(queues, queue, 300)).at(-1)).toBe(16)
  })

  it('again when half of what it has read ahead is sent', () => {
    const { queues, queue } = makeQueue()
    first(6, fetches(queues, queue, 10))
    for (let fetched = 0; fetched < 288; fetched += 1) queue.add(newWaiting())
    while (queue.startNext(0)) {
      // As many as it sends at once.
    }
    expect({ inFlight: queue.inFlight, waiting: queue.waiting }).toEqual({ inFlight: 32, waiting: 256 })
    queue.wake()
    for (let ended = 0; ended < 127; ended += 1) {
      queue.end(true, 0)
      queue.startNext(0)
    }
    expect(queues.startFetches()).toEqual([])
    queue.end(true, 0)
    queue.startNext(0)
    expect(queues.startFetches()).toMatchObject([{ limit: 128 }])
  })

  it('no more than it sends at once after a delivery had waited too long', () => {
    const { queues, queue } = makeQueue()
    first(6, fetches(queues, queue, 10))
    expect(queue.pace).toBe('fast')
    queue.add(newWaiting())
    queue.startNext(0)
    queue.endUnsent()
    queue.wake()
    expect(queues.startFetches()).toMatchObject([{ limit: 16 }])
  })

  it('one at a time after a failed attempt, until one succeeds', () => {
    const { queues, queue } = makeQueue()
    queue.add(newWaiting())
    queue.startNext(0)
    queue.end(false, 0)
    expect(queue.pace).toBe('backing off')
    queue.wake()
    expect(queue.handOverCapacity(0)).toBe(0)
    expect(queues.startFetches()).toMatchObject([{ limit: 1 }])
    queue.add(newWaiting())
    queue.endFetch(1, 1_000)
    queue.startNext(1_000)
    queue.end(true, 1_000)
    expect(queue.pace).toBe('steady')
    expect(queues.startFetches()).toMatchObject([{ limit: 16 }])
  })
})

describe('receiver queue › state', () => {
  it('goes from idle through ready and fetching to draining, and back', () => {
    const { queues, queue } = makeQueue()
    expect(queue.state).toBe('idle')
    queue.wake()
    expect(queue.state).toBe('ready')
    queues.startFetches()
    expect(queue.state).toBe('fetching')
    const waiting = newWaiting()
    queue.add(waiting)
    queue.endFetch(1, 0)
    expect(queue.state).toBe('draining')
    queue.startNext(0)
    queue.end(true, 0)
    expect(queue.isRemovable).toBe(false)
    queue.recorded(waiting.delivery.id)
    // A later event of the shipment may have waited for this one.
    expect(queue.state).toBe('ready')
    queues.startFetches()
    queue.endFetch(0, 0)
    expect(queue.state).toBe('idle')
    expect(queue.isRemovable).toBe(true)
  })

  it('is ready again if it was woken during a fetch', () => {
    const { queues, queue } = makeQueue()
    queue.wake()
    queues.startFetches()
    queue.wake()
    queue.endFetch(0, 0)
    expect(queue.state).toBe('ready')
  })

  it('is idle after a failed fetch: a sweep wakes it', () => {
    const { queues, queue } = makeQueue()
    queue.wake()
    queues.startFetches()
    queue.failFetch()
    expect(queue.state).toBe('idle')
  })

  it('excludes quarantined deliveries from fetches until their time is over', () => {
    const { queue } = makeQueue()
    const waiting = newWaiting()
    queue.add(waiting)
    queue.startNext(0)
    queue.end(false, 0)
    queue.quarantine(waiting.delivery.id, 1_000)
    expect(queue.excluded(999)).toEqual([waiting.delivery.id])
    expect(queue.excluded(1_000)).toEqual([])
  })
})

/** Sends one after the other, ending at the given interval; returns when the last ended. */
function sendAll(queue: ReceiverQueue, count: number, everyMs: number, fromMs: number): number {
  let nowMs = fromMs
  for (let sent = 0; sent < count; sent += 1) {
    queue.add(newWaiting())
    queue.startNext(nowMs)
    nowMs += everyMs
    queue.end(true, nowMs)
  }
  return nowMs
}

describe('receiver queue › hand-over capacity', () => {
  it('is what the receiver gets through in a second', () => {
    const { queue } = makeQueue()
    const fastMs = sendAll(queue, 100, 1, 0)
    expect(queue.handOverCapacity(fastMs)).toBe(16 + 368)
    const slowMs = sendAll(queue, 100, 10, fastMs)
    expect(queue.handOverCapacity(slowMs)).toBeGreaterThan(16 + 90)
    expect(queue.handOverCapacity(slowMs)).toBeLessThan(16 + 110)
    // A pause says nothing about its speed.
    expect(queue.handOverCapacity(slowMs + 60_000)).toBe(queue.handOverCapacity(slowMs))
  })

  it('drops as soon as the receiver completes none of those in flight', () => {
    const { queue } = makeQueue()
    const nowMs = sendAll(queue, 100, 1, 0)
    queue.add(newWaiting())
    queue.startNext(nowMs)
    expect(queue.handOverCapacity(nowMs)).toBe(16 + 368 - 1)
    expect(queue.handOverCapacity(nowMs + 500)).toBe(16 + 16 - 1)
  })

  it('is zero while older deliveries wait in the store', () => {
    const { queue } = makeQueue()
    queue.wake()
    expect(queue.handOverCapacity(0)).toBe(0)
  })
})
