import { expect } from 'vitest'

/**
 * Counts how many of the values that a property was tried on have the cases it is about. Random values may miss them, and
 * the property then holds without having been tried. Cases that must be there in every run belong to its `examples`.
 */
export class CaseCounter<Value> {
  readonly #cases: [name: string, isOne: (value: Value) => boolean][]
  readonly #counts = new Map<string, number>()

  constructor(cases: Record<string, (value: Value) => boolean>) {
    this.#cases = Object.entries(cases)
    for (const [name] of this.#cases) this.#counts.set(name, 0)
  }

  count(value: Value): void {
    for (const [name, isOne] of this.#cases) {
      if (isOne(value)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    }
  }

  /** Fails if a case was tried less often, and names it. */
  expectEach(least = 1): void {
    const rare = [...this.#counts].filter(([, count]) => count < least)
    expect(Object.fromEntries(rare), `cases that were tried less than ${least} times`).toEqual({})
  }
}

/** All orders of a few items. */
export function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((first, index) =>
    permutationsOf(items.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  )
}
