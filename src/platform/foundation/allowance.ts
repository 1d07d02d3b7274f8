/** A limit per key and window of time, counted in this process. */
export class Allowance {
  readonly #limit: number
  readonly #windowMs: number
  readonly #used = new Map<string, { count: number; endsAt: number }>()

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** Seconds to wait; 0 if the key is within its limit. */
  waitSeconds(key: string): number {
    const entry = this.#used.get(key)
    if (entry === undefined || entry.endsAt <= performance.now() || entry.count < this.#limit) return 0
    return Math.max(1, Math.ceil((entry.endsAt - performance.now()) / 1_000))
  }

  use(key: string): void {
    const now = performance.now()
    const entry = this.#used.get(key)
    if (entry !== undefined && entry.endsAt > now) {
      entry.count += 1
      return
    }
    if (this.#used.size > 50_000) this.#sweep(now)
    this.#used.set(key, { count: 1, endsAt: now + this.#windowMs })
  }

  #sweep(now: number): void {
    for (const [key, entry] of this.#used) if (entry.endsAt <= now) this.#used.delete(key)
  }
}
