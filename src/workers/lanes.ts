/** One receiver's queue in this process: how much of it is under way, and whether there may be more. */
export interface Lane {
  shopId: string
  target: string
  inFlight: number
  /** There may be deliveries to take. */
  isWoken: boolean
  /** The last attempt failed: then one delivery at a time is enough to find out whether it is back. */
  isFailing: boolean
  /** Attempts a second that this receiver allows; undefined: no limit of its own. */
  requestsPerSecond: number | undefined
  /** When the next attempt may start, by performance.now(). */
  nextStartMs: number
}

/** Deliveries of one receiver that are under way at once. */
const laneWidth = 8
/** Deliveries of all receivers that are under way at once: enough for many that hang, each up to its time limit. */
const totalWidth = 2_000
const takeAtMost = 400

/**
 * Keeps receivers apart: each has a lane of its own, so that one which hangs or fails holds up nobody else, however much
 * is queued for it.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #inFlight = 0

  get inFlight(): number {
    return this.#inFlight
  }

  get(shopId: string, target: string): Lane {
    const key = `${shopId} ${target}`
    const known = this.#lanes.get(key)
    if (known) return known
    const lane: Lane = {
      shopId,
      target,
      inFlight: 0,
      isWoken: false,
      isFailing: false,
      requestsPerSecond: undefined,
      nextStartMs: 0,
    }
    this.#lanes.set(key, lane)
    return lane
  }

  /** The lanes that have room and may have work, with how much each can take. They are asleep until woken again. */
  takeWoken(): (Lane & { limit: number })[] {
    let room = Math.min(takeAtMost, totalWidth - this.#inFlight)
    const woken: (Lane & { limit: number })[] = []
    for (const lane of this.#lanes.values()) {
      if (room <= 0) break
      const limit = Math.min(room, (lane.isFailing ? 1 : laneWidth) - lane.inFlight)
      if (!lane.isWoken || limit <= 0) continue
      lane.isWoken = false
      room -= limit
      woken.push({ ...lane, limit })
    }
    return woken
  }

  begin(lane: Lane): void {
    lane.inFlight += 1
    this.#inFlight += 1
  }

  end(lane: Lane, isSuccess: boolean): void {
    lane.inFlight -= 1
    this.#inFlight -= 1
    lane.isFailing = !isSuccess
    lane.isWoken = true
    // A lane that is idle is forgotten with the next sweep; keeping a thousand costs nothing.
    if (this.#lanes.size > 20_000) this.#forgetIdle()
  }

  /** How long to wait before the next attempt of this lane, and books it. */
  reserveStart(lane: Lane, nowMs: number): number {
    if (lane.requestsPerSecond === undefined) return 0
    const startMs = Math.max(nowMs, lane.nextStartMs)
    lane.nextStartMs = startMs + 1_000 / lane.requestsPerSecond
    return startMs - nowMs
  }

  #forgetIdle(): void {
    for (const [key, lane] of this.#lanes) if (lane.inFlight === 0 && !lane.isWoken) this.#lanes.delete(key)
  }
}
