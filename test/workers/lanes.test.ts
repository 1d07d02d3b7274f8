import { describe, expect, it } from 'vitest'
import type { TakenDelivery } from '../../src/foundation/deliveries.ts'
import { type HeldDelivery, type Lane, Lanes } from '../../src/workers/lanes.ts'

let made = 0

/** Another delivery that was taken. */
function newHeld(): HeldDelivery {
  made += 1
  const delivery = { shopId: 'shop', target: 'endpoint', id: String(made) } as TakenDelivery // what lanes look at
  return { delivery, takenAt: new Date() }
}

/** A receiver with an endless backlog: each look at it is answered in full, and so long after the one before. */
function* looksAt(lanes: Lanes, lane: Lane, everyMs: number): Generator<number> {
  for (let nowMs = performance.now(); ; nowMs += everyMs) {
    lane.isWoken = true
    const [woken] = lanes.takeWoken()
    const limit = woken?.limit ?? 0
    for (let taken = 0; taken < limit; taken += 1) lanes.add(lane, newHeld())
    if (woken) lanes.looked(lane, limit, limit, nowMs)
    while (lanes.begin(lane, nowMs)) lanes.end(lane, true, nowMs)
    for (const id of lane.unwritten) lanes.written(lane, id)
    yield limit
  }
}

const first = (count: number, looks: Generator<number>) => Array.from({ length: count }, () => looks.next().value)

describe('receiver queue', () => {
  it('fetches more at a time while a receiver is fast, up to a bound', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    expect(first(9, looksAt(lanes, lane, 10))).toEqual([16, 16, 48, 64, 96, 160, 288, 400, 400])
  })

  it('fetches no more than can be in flight while a receiver is slow', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    expect(first(4, looksAt(lanes, lane, 300))).toEqual([16, 16, 16, 16])
    expect(first(4, looksAt(lanes, lane, 10)).at(-1)).toBeGreaterThan(16)
    expect(first(8, looksAt(lanes, lane, 300)).at(-1)).toBe(16)
  })

  it('fetches again when half of what it has in memory has begun', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    first(6, looksAt(lanes, lane, 10))
    expect(lane.ahead).toBe(256)
    for (let taken = 0; taken < 288; taken += 1) lanes.add(lane, newHeld())
    while (lanes.begin(lane, 0)) {
      // As many as may be under way.
    }
    expect({ inFlight: lane.inFlight, held: lane.held.length }).toEqual({ inFlight: 32, held: 256 })
    lane.isWoken = true
    for (let ended = 0; ended < 127; ended += 1) {
      lanes.end(lane, true, 0)
      lanes.begin(lane, 0)
    }
    expect(lanes.takeWoken()).toEqual([])
    lanes.end(lane, true, 0)
    lanes.begin(lane, 0)
    expect(lanes.takeWoken()).toMatchObject([{ limit: 128 }])
  })

  /** As many as there is room for, of which each ends so long after the one before; answers when the last did. */
  function workThrough(lanes: Lanes, lane: Lane, count: number, everyMs: number, fromMs: number): number {
    let nowMs = fromMs
    for (let sent = 0; sent < count; sent += 1) {
      lanes.add(lane, newHeld())
      lanes.begin(lane, nowMs)
      nowMs += everyMs
      lanes.end(lane, true, nowMs)
    }
    return nowMs
  }

  it('is handed no more than it sends in a second', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    const quickMs = workThrough(lanes, lane, 100, 1, 0)
    expect(lanes.roomFor(lane, quickMs)).toBe(16 + 368)
    const slowMs = workThrough(lanes, lane, 100, 10, quickMs)
    expect(lanes.roomFor(lane, slowMs)).toBeGreaterThan(16 + 90)
    expect(lanes.roomFor(lane, slowMs)).toBeLessThan(16 + 110)
    // A rest says nothing of how quick it is.
    expect(lanes.roomFor(lane, slowMs + 60_000)).toBe(lanes.roomFor(lane, slowMs))
  })

  it('is handed little as soon as none of those in flight is returned', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    const nowMs = workThrough(lanes, lane, 100, 1, 0)
    lanes.add(lane, newHeld())
    lanes.begin(lane, nowMs)
    expect(lanes.roomFor(lane, nowMs)).toBe(16 + 368 - 1)
    expect(lanes.roomFor(lane, nowMs + 500)).toBe(16 + 16 - 1)
  })

  it('fetches no more than can be in flight once something had to be released', () => {
    const lanes = new Lanes()
    const lane = lanes.get('shop', 'endpoint')
    first(6, looksAt(lanes, lane, 10))
    expect(lane.ahead).toBe(256)
    lanes.add(lane, newHeld())
    lanes.begin(lane, 0)
    lanes.giveBack(lane)
    lane.isWoken = true
    expect(lanes.takeWoken()).toMatchObject([{ limit: 16 }])
  })
})
