/**
 * Limits how fast the requests of one account are sent by this process. All nodes share the allowance, but requests that
 * were allowed a second ago and delayed since would be sent together with those that are allowed now.
 */
export class SendWindow {
  readonly #requests: number
  readonly #windowMs: number
  /** Times at which the latest requests were or will be sent, earliest first; as many as the limit has. */
  readonly #leavingMs: number[] = []

  constructor(limit: { requests: number; perMs: number }) {
    this.#requests = limit.requests
    // Requests may be delayed differently on the network.
    this.#windowMs = limit.perMs * 1.1
  }

  /** Reserves the next request, and returns how long it has to wait. */
  reserve(nowMs: number): number {
    const before = this.#leavingMs.length < this.#requests ? undefined : this.#leavingMs.shift()
    const leavesMs = before === undefined ? nowMs : Math.max(nowMs, before + this.#windowMs)
    this.#leavingMs.push(leavesMs)
    return leavesMs - nowMs
  }
}
