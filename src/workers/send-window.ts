/**
 * Keeps the requests of one account within a limit as they leave this process. All nodes share the allowance, but requests
 * that were allowed a second ago and delayed since would leave together with those that are allowed now.
 */
export class SendWindow {
  readonly #requests: number
  readonly #windowMs: number
  /** When the latest requests left or will leave, as many as the limit has; the earliest first. */
  readonly #leavingMs: number[] = []

  constructor(limit: { requests: number; perMs: number }) {
    this.#requests = limit.requests
    // One may take longer on its way than the next.
    this.#windowMs = limit.perMs * 1.1
  }

  /** How long the next request has to wait, and books it. */
  reserve(nowMs: number): number {
    const before = this.#leavingMs.length < this.#requests ? undefined : this.#leavingMs.shift()
    const leavesMs = before === undefined ? nowMs : Math.max(nowMs, before + this.#windowMs)
    this.#leavingMs.push(leavesMs)
    return leavesMs - nowMs
  }
}
