import { describe, expect, it } from 'vitest'
import { coalesced } from '../../src/platform/foundation/coalesce.ts'
import type { Context } from '../../src/platform/foundation/context.ts'

/** Writes that end when the test ends them. */
class HeldWrites {
  readonly batches: number[][] = []
  readonly #ends: (() => void)[] = []
  readonly write = coalesced((_context: Context, items: number[]) => {
    this.batches.push(items)
    return new Promise<string[]>((resolve) => {
      this.#ends.push(() => resolve(items.map((item) => `written ${item}`)))
    })
  })
  readonly #context = { services: {} } as Context // nothing else is read of it

  /** Requests of one iteration of the event loop. */
  async add(...items: number[]): Promise<Promise<string>[]> {
    const outcomes = items.map((item) => this.write(this.#context, item))
    await nextBatch()
    return outcomes
  }

  async endFirst(): Promise<void> {
    this.#ends.shift()?.()
    await nextBatch()
  }
}

/** A batch begins in the iteration after its first item, or after one that has ended; one more, to be sure. */
async function nextBatch(): Promise<void> {
  for (let iteration = 0; iteration < 3; iteration += 1) await new Promise(setImmediate)
}

describe('joining the writes of requests', () => {
  it('writes what arrives together as one batch, and returns to each its own outcome', async () => {
    const held = new HeldWrites()
    const outcomes = await held.add(1, 2, 3)
    expect(held.batches).toEqual([[1, 2, 3]])
    await held.endFirst()
    expect(await Promise.all(outcomes)).toEqual(['written 1', 'written 2', 'written 3'])
  })

  it('begins a second batch at once if it is as large as the first', async () => {
    const held = new HeldWrites()
    await held.add(1)
    await held.add(2)
    expect(held.batches).toEqual([[1], [2]])
  })

  it('gathers a smaller one until it is as large', async () => {
    const held = new HeldWrites()
    await held.add(1, 2, 3)
    await held.add(4)
    await held.add(5)
    expect(held.batches).toEqual([[1, 2, 3]])
    await held.add(6)
    expect(held.batches).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
  })

  it('begins a smaller one when the first has ended', async () => {
    const held = new HeldWrites()
    await held.add(1, 2, 3)
    await held.add(4)
    await held.endFirst()
    expect(held.batches).toEqual([[1, 2, 3], [4]])
  })

  it('has at most two under way', async () => {
    const held = new HeldWrites()
    await held.add(1)
    await held.add(2)
    await held.add(3, 4, 5)
    expect(held.batches).toHaveLength(2)
    await held.endFirst()
    expect(held.batches).toEqual([[1], [2], [3, 4, 5]])
  })

  it('writes more than a batch may hold as two', async () => {
    const held = new HeldWrites()
    const many = Array.from({ length: 700 }, (_, item) => item)
    await held.add(...many)
    expect(held.batches.map(({ length }) => length)).toEqual([250, 250])
  })
})
