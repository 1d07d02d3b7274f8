/** One statement that took long, by its text; values are no part of it. */
export interface SlowStatement {
  text: string
  count: number
  totalMs: number
  maxMs: number
}

const slowMs = 50
const maxStatements = 100
/** Longer texts are cut. */
const maxTextLength = 2_000

/** The statements of this process that took long, as its callers felt it. Bounded: the least of many is forgotten. */
export class SlowStatements {
  readonly #statements = new Map<string, SlowStatement>()

  add(text: string, ms: number): void {
    if (ms < slowMs) return
    const known = this.#statements.get(text)
    if (known) {
      known.count += 1
      known.totalMs += ms
      known.maxMs = Math.max(known.maxMs, ms)
      return
    }
    if (this.#statements.size >= maxStatements) this.#forgetLeast()
    this.#statements.set(text, { text: text.slice(0, maxTextLength), count: 1, totalMs: ms, maxMs: ms })
  }

  /** Those that took most time together, first. */
  list(limit: number): SlowStatement[] {
    return [...this.#statements.values()].sort((left, right) => right.totalMs - left.totalMs).slice(0, limit)
  }

  #forgetLeast(): void {
    const [least] = [...this.#statements].sort(([, left], [, right]) => left.totalMs - right.totalMs)
    if (least) this.#statements.delete(least[0])
  }
}
