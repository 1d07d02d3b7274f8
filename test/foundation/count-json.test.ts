import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonExcess, JsonCounter, type JsonLimits } from '../../src/platform/foundation/count-json.ts'
import { jsonLimits, parseBounded } from '../../src/platform/foundation/json-limits.ts'
import { readObject } from '../../src/platform/foundation/read-json.ts'
import { CaseCounter } from '../harness/cases.ts'

const plenty: JsonLimits = { depth: 1_000, containers: 1_000_000, values: 1_000_000, names: 1_000_000 }

const tenMegabytes = jsonLimits(10_000_000)

interface Counts {
  depth: number
  containers: number
  values: number
  names: Set<string>
}

/** The counts of a parsed value. An empty list counts as one value, as each bracket and comma does. */
function countsOf(value: unknown, counts: Counts = none(), depth = 1): Counts {
  if (typeof value !== 'object' || value === null) return counts
  counts.depth = Math.max(counts.depth, depth)
  counts.containers += 1
  const inner = Object.entries(value)
  counts.values += Math.max(1, inner.length)
  for (const [name, field] of inner) {
    if (!Array.isArray(value)) counts.names.add(name)
    countsOf(field, counts, depth + 1)
  }
  return counts
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(field)])
}

function none(): Counts {
  return { depth: 0, containers: 0, values: 0, names: new Set() }
}

/** The same text in pieces of random sizes, as a socket hands it over. */
function inPieces(bytes: Buffer, sizes: number[], limits: JsonLimits) {
  const counter = new JsonCounter(limits)
  let excess: ReturnType<JsonCounter['add']>
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    excess = counter.add(bytes.subarray(at, at + size))
    at += size
  }
  return excess
}

/** Texts that look like structure, names that come again, and empty containers. */
const awkward: unknown[] = [
  { 'a"b': '\\', '{[,:': ['\\"', '"}', ']'], '\\': { 'a"b': [] } },
  [{ a: 1, b: 2 }, { a: 1, b: { a: [], b: {} } }, [], {}, [[]]],
  { '\u00e4\ud83d\ude00': '\u{1f600}', '': '', ' ': [0, -1.5e-7, null, true] },
  [],
  {},
  'text',
]
const bytewise: [value: unknown, sizes: number[], indent: number | undefined][] = awkward.flatMap((value) => [
  [value, [1], undefined],
  [value, [2, 3], 1],
  [value, [40], undefined],
])
const cases = new CaseCounter<unknown>({
  'a name twice': (value) => new Set(namesIn(value)).size < namesIn(value).length,
  'an escaped quote': (value) => JSON.stringify(value).includes('\\"'),
  'a bracket in a text': (value) => /[[\]{}]/.test(JSON.stringify(value).replaceAll(/(?<!")[[\]{}]/g, '')),
  'an empty container': (value) => /\[\]|\{\}/.test(JSON.stringify(value)),
  'three containers in each other': (value) => countsOf(value).depth >= 3,
  'no container': (value) => countsOf(value).depth === 0,
})

describe('count of JSON', () => {
  it('is that of the parsed value, in whatever pieces it arrives', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(undefined, 1),
        (value, sizes, indent) => {
          cases.count(value)
          const bytes = Buffer.from(JSON.stringify(value, undefined, indent))
          const { depth, containers, values, names } = countsOf(JSON.parse(bytes.toString('utf8')))
          const exact = { depth, containers, values, names: names.size }
          const check = (limits: JsonLimits) => [findJsonExcess(bytes, limits), inPieces(bytes, sizes, limits)]
          expect(check(exact)).toEqual([undefined, undefined])
          if (depth > 0) {
            expect(check({ ...plenty, depth: depth - 1 })).toEqual(['depth', 'depth'])
            expect(check({ ...plenty, containers: containers - 1 })).toEqual(['values', 'values'])
            expect(check({ ...plenty, values: values - 1 })).toEqual(['values', 'values'])
          }
          if (names.size > 0) expect(check({ ...plenty, names: names.size - 1 })).toEqual(['names', 'names'])
        },
      ),
      { seed: 20_261_101, numRuns: 300, examples: bytewise },
    )
    cases.expectEach(3)
  })

  it('does not count what is in texts', () => {
    const text = JSON.stringify({ a: '{[,"b":{"c":1}'.repeat(1_000), b: '\\'.repeat(999) })
    const limits = { depth: 1, containers: 1, values: 2, names: 2 }
    expect(findJsonExcess(Buffer.from(text), limits)).toBeUndefined()
    expect(inPieces(Buffer.from(text), [1], limits)).toBeUndefined()
  })

  it('ends at the first excess, however much follows', () => {
    const counter = new JsonCounter(tenMegabytes)
    expect(counter.add(Buffer.from('['.repeat(101)))).toBe('depth')
    expect(counter.add(Buffer.from(']'.repeat(101)))).toBe('depth')
  })
})

describe('limits of JSON', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 1]))
  const product = (index: number) => ({
    title: `Socks ${index}`,
    sku: `S-${index}`,
    quantity: 2,
    images: [{ src: 'a' }],
  })

  it('leave room for a thousand orders with twenty names of their own each', () => {
    const bulk = Array.from({ length: 1_000 }, (_, order) => ({
      id: String(order),
      order: {
        products: Array.from({ length: 90 }, (_, index) => product(index)),
        order_analytics: Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`campaign ${order} ${n}`, 'x'])),
      },
    }))
    const bytes = Buffer.from(JSON.stringify(bulk))
    expect(bytes.length).toBeGreaterThan(6_000_000)
    expect(bytes.length).toBeLessThan(10_000_000)
    expect(findJsonExcess(bytes, tenMegabytes)).toBeUndefined()
  })

  it('hold for what other systems send', () => {
    expect(readObject(JSON.stringify(names(20_000)))).toHaveProperty('name 19999')
    // A few may have equal hashes.
    expect(readObject(JSON.stringify(names(21_000)))).toBeUndefined()
    expect(() => parseBounded(JSON.stringify(names(21_000)))).toThrow('different names')
    expect(readObject(`{"a":${'['.repeat(99)}${']'.repeat(99)}}`)).toHaveProperty('a')
    expect(readObject(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).toBeUndefined()
  })
})
