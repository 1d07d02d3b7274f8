import type { Span } from '../../foundation/tracing.ts'
import type { TakenDelivery } from '../delivery.ts'

/** A delivery that was taken and has yet to begin. */
export interface HeldDelivery {
  delivery: TakenDelivery
  takenAt: Date
  /** What queued it, where that was traced in this process. */
  cause?: Span | undefined
}

/** One receiver's queue in this process: how much of it is under way, and whether there may be more. */
export interface Lane {
  shopId: string
  target: string
  inFlight: number
  /** Taken, and waiting for room. */
  held: HeldDelivery[]
  /** What was taken and is not written down: what waits, what is under way, and what the store has yet to hear the end of. */
  unwritten: Set<string>
  /** What nobody can say the end of, and until when it is left alone, in milliseconds of the clock. */
  left: Map<string, number>
  /** Until when nobody else takes from its queue, in milliseconds of the clock; 0 where this process does not hold it. */
  heldUntilMs: number
  /** There may be deliveries to take. */
  isWoken: boolean
  /** Some may have been held back by what is not written down yet. */
  isLookedAtAgain: boolean
  /** How many are taken beyond those under way: more and more while a backlog goes quickly, none while it does not. */
  ahead: number
  /** When the queue last gave as many as it was asked for, by performance.now(). */
  lastFullMs: number
  /** When it last ended one, or began one after a rest, by performance.now(). */
  movedMs: number
  /** How long it is from one end to the next, of late. */
  gapMs: number
  /** The last attempt failed: then one delivery at a time is enough to find out whether it is back. */
  isFailing: boolean
  /** Attempts a second that this receiver allows; undefined: no limit of its own. */
  requestsPerSecond: number | undefined
  /** When the next attempt may start, by performance.now(). */
  nextStartMs: number
}

/** Deliveries of one receiver that are under way at once, and of one that works quickly through a backlog. */
const laneWidth = 16
const quickWidth = 32
/** Deliveries of all receivers that are under way at once: enough for many that hang, each up to its time limit. */
const totalWidth = 2_000
/** What one receiver's lane keeps in memory behind those under way, so that a burst needs no look at the queue. */
const heldAtMost = 368
/** It keeps no more than it gets through in this time: what waits too long has to be given back, and taken once more. */
const keepMs = 1_000
/** A look at the queue that gives this quickly again what it was asked for is asked for more, and one that does not for less. */
const quickLookMs = 50
const slowLookMs = 200
const heldByAll = 10_000
const takeAtMost = 400

/**
 * Keeps receivers apart: each has a lane of its own, so that one which hangs or fails holds up nobody else, however much
 * is queued for it.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  /** Those that hold something and were told that too much is under way. */
  readonly #stalled = new Set<Lane>()
  #inFlight = 0
  #held = 0
  #unwritten = 0

  /** Whether nothing is under way, and all that was is written down. */
  get areIdle(): boolean {
    return this.#unwritten === 0
  }

  get(shopId: string, target: string): Lane {
    const key = `${shopId} ${target}`
    const known = this.#lanes.get(key)
    if (known) return known
    const lane: Lane = {
      shopId,
      target,
      inFlight: 0,
      held: [],
      unwritten: new Set(),
      left: new Map(),
      heldUntilMs: 0,
      isWoken: false,
      isLookedAtAgain: false,
      ahead: 0,
      lastFullMs: 0,
      movedMs: 0,
      gapMs: 5,
      isFailing: false,
      requestsPerSecond: undefined,
      nextStartMs: 0,
    }
    this.#lanes.set(key, lane)
    return lane
  }

  /** Those that this process holds until before then and has something of: it has to hold on to them. */
  listHeld(beforeMs: number): Lane[] {
    return [...this.#lanes.values()].filter(
      ({ heldUntilMs, unwritten, left }) => heldUntilMs > 0 && heldUntilMs < beforeMs && unwritten.size + left.size > 0,
    )
  }

  /** The lanes that have room and may have work, with how much each can take. They are asleep until woken again. */
  takeWoken(): { lane: Lane; limit: number }[] {
    let room = Math.min(takeAtMost, totalWidth - this.#inFlight, heldByAll - this.#held)
    const woken: { lane: Lane; limit: number }[] = []
    for (const lane of this.#lanes.values()) {
      if (room <= 0) break
      const ahead = lane.isFailing ? 0 : lane.ahead
      const limit = Math.min(room, widthOf(lane) + ahead - lane.inFlight - lane.held.length)
      // Half of what is held goes first, so that a look is worth it.
      if (!lane.isWoken || limit <= 0 || lane.held.length > ahead / 2) continue
      lane.isWoken = false
      room -= limit
      woken.push({ lane, limit })
    }
    return woken
  }

  /** How many it takes without a look at the queue: none where others wait, or where one at a time is enough. */
  roomFor(lane: Lane, nowMs: number): number {
    if (lane.isWoken || lane.isFailing) return 0
    if (this.#inFlight >= totalWidth) return 0
    return Math.min(laneWidth + holdsAtMost(lane, nowMs) - lane.inFlight - lane.held.length, heldByAll - this.#held)
  }

  add(lane: Lane, held: HeldDelivery): void {
    lane.held.push(held)
    this.#held += 1
    lane.unwritten.add(held.delivery.id)
    this.#unwritten += 1
  }

  /** The next one that there is room for. */
  begin(lane: Lane, nowMs: number): HeldDelivery | undefined {
    if (lane.held.length === 0 || lane.inFlight >= widthOf(lane)) return undefined
    if (this.#inFlight >= totalWidth) {
      this.#stalled.add(lane)
      return undefined
    }
    const next = lane.held.shift()
    this.#held -= 1
    if (lane.inFlight === 0) lane.movedMs = nowMs
    lane.inFlight += 1
    this.#inFlight += 1
    return next
  }

  end(lane: Lane, isSuccess: boolean, nowMs: number): void {
    lane.inFlight -= 1
    this.#inFlight -= 1
    lane.isFailing = !isSuccess
    lane.gapMs = 0.9 * lane.gapMs + 0.1 * (nowMs - lane.movedMs)
    lane.movedMs = nowMs
  }

  /** One waited too long and is given back: from now on it takes no more than can be under way, until it is quick again. */
  giveBack(lane: Lane): void {
    lane.inFlight -= 1
    this.#inFlight -= 1
    lane.ahead = 0
  }

  /** A lane that can go on now that something has ended. */
  takeStalled(): Lane | undefined {
    const [lane] = this.#stalled
    if (lane) this.#stalled.delete(lane)
    return lane
  }

  /** Gives up what has not begun. */
  dropHeld(): TakenDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => {
      const dropped = lane.held.splice(0)
      this.#held -= dropped.length
      for (const { delivery } of dropped) this.written(lane, delivery.id)
      return dropped.map(({ delivery }) => delivery)
    })
  }

  /** What a look at its queue is to pass over. */
  busyOf(lane: Lane, clockMs: number): string[] {
    for (const [id, untilMs] of lane.left) if (untilMs <= clockMs) lane.left.delete(id)
    return [...lane.unwritten, ...lane.left.keys()]
  }

  /** How it ended could not be found out or written down. It is due still, and would be taken at once, again and again. */
  leave(lane: Lane, id: string, untilMs: number): void {
    lane.left.set(id, untilMs)
    this.written(lane, id)
  }

  /** What was held back by it may be taken now. */
  written(lane: Lane, id: string): void {
    lane.unwritten.delete(id)
    this.#unwritten -= 1
    if (lane.isLookedAtAgain) lane.isWoken = true
    // A lane that is idle is forgotten with the next sweep; keeping a thousand costs nothing.
    if (this.#lanes.size > 20_000) this.#forgetIdle()
  }

  /** The queue was looked at and gave so many of what was asked for. */
  looked(lane: Lane, taken: number, limit: number, nowMs: number): void {
    // A lane that gave all it was asked for may have more.
    if (taken >= limit) {
      const passedMs = nowMs - lane.lastFullMs
      if (passedMs < quickLookMs) lane.ahead = Math.min(heldAtMost, Math.max(laneWidth, lane.ahead * 2))
      else if (passedMs > slowLookMs) lane.ahead = lane.ahead > laneWidth ? Math.floor(lane.ahead / 2) : 0
      lane.lastFullMs = nowMs
      lane.isWoken = true
    }
    lane.isLookedAtAgain = lane.unwritten.size > 0
  }

  /** How long to wait before the next attempt of this lane, and books it. */
  reserveStart(lane: Lane, nowMs: number): number {
    if (lane.requestsPerSecond === undefined) return 0
    const startMs = Math.max(nowMs, lane.nextStartMs)
    lane.nextStartMs = startMs + 1_000 / lane.requestsPerSecond
    return startMs - nowMs
  }

  #forgetIdle(): void {
    for (const [key, lane] of this.#lanes)
      if (lane.unwritten.size + lane.left.size === 0 && !lane.isWoken) this.#lanes.delete(key)
  }
}

function holdsAtMost(lane: Lane, nowMs: number): number {
  // One that does not answer any of those under way is not quick any more, however quick it was.
  const stillMs = lane.inFlight === 0 ? 0 : nowMs - lane.movedMs
  return Math.min(heldAtMost, Math.max(laneWidth, Math.floor(keepMs / Math.max(lane.gapMs, stillMs))))
}

function widthOf(lane: Lane): number {
  if (lane.isFailing) return 1
  return lane.ahead > 0 ? quickWidth : laneWidth
}
