import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Cache,
  type CacheDefinition,
  type Change,
  createCaches,
  defineCache,
} from '../../src/platform/foundation/caches.ts'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { openChanges } from '../../src/platform/store/changes.ts'
import type { Database } from '../../src/platform/store/database.ts'
import { MovableClock } from '../harness/clock.ts'

const clock = new MovableClock()
const outside = {}
const inside = { afterCommit: [] }

const byShop = defineCache<string>({
  name: 'a test, by shop',
  maxEntries: 3,
  invalidatedBy: { shop: ({ slug }, _value, key) => slug === key },
})
const withTtl = defineCache<string>({ name: 'a test, with a TTL', maxEntries: 3, ttlMs: minuteMs })

let report: (change: Change) => void
let listeningSince: number | undefined
let elapsedMs = 0

beforeEach(() => {
  const now = performance.now.bind(performance)
  elapsedMs = 0
  listeningSince = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs)
})
afterEach(() => {
  vi.restoreAllMocks()
  clock.reset()
})

describe('cache', () => {
  it('is opened once, and its name belongs to one definition', async () => {
    const caches = await openCaches()
    expect(caches.open(byShop)).toBe(caches.open(byShop))
    expect(() => caches.open({ ...byShop })).toThrow('two caches')
  })

  it('returns a loaded value without another query', async () => {
    const cache = await open(byShop)
    expect(await cache.load(outside, 'one', async () => 'first')).toBe('first')
    expect(cache.get('one')).toBe('first')
    expect(cache.get('two')).toBeUndefined()
  })

  it('does not cache missing values and failed loads', async () => {
    const cache = defineCache<string>({ name: 'a test, of little', maxEntries: 3 })
    const opened = await open(cache)
    expect(await opened.load(outside, 'one', async () => undefined)).toBeUndefined()
    await expect(opened.load(outside, 'one', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(opened.get('one')).toBeUndefined()
    expect(await opened.load(outside, 'one', async () => 'first')).toBe('first')
  })

  it('removes the oldest entry when it is full', async () => {
    const cache = await open(withTtl)
    for (const key of ['one', 'two', 'three', 'one', 'four']) cache.set(key, key)
    expect(['one', 'two', 'three', 'four'].map((key) => cache.get(key))).toEqual(['one', undefined, 'three', 'four'])
  })

  it.each([minuteMs, -minuteMs])('ends an entry after its TTL, whichever way the clock is set (%i ms)', async (ms) => {
    const cache = await open(withTtl)
    cache.set('one', 'first')
    clock.advance(ms / 2)
    expect(cache.get('one')).toBe('first')
    clock.advance(ms)
    expect(cache.get('one')).toBeUndefined()
  })
})

describe('loading', () => {
  it('is shared by concurrent callers', async () => {
    const cache = await open(byShop)
    const query = vi.fn(async () => 'first')
    expect(await Promise.all([1, 2, 3].map(() => cache.load(outside, 'one', query)))).toEqual(Array(3).fill('first'))
    expect(query).toHaveBeenCalledTimes(1)
  })

  it('is not shared inside a transaction, whose connection the shared query may wait for', async () => {
    const cache = await open(byShop)
    const { promise, resolve } = withResolvers()
    const shared = cache.load(outside, 'one', () => promise)
    expect(await cache.load(inside, 'one', async () => 'its own')).toBe('its own')
    resolve('shared')
    expect(await shared).toBe('shared')
  })
})

describe('invalidation', () => {
  it('removes the affected entries only', async () => {
    const cache = await open(byShop)
    for (const key of ['one', 'two']) cache.set(key, key)
    report({ kind: 'key', id: 'one' })
    expect(cache.get('one')).toBe('one')
    report({ kind: 'shop', id: '', slug: 'one' })
    expect([cache.get('one'), cache.get('two')]).toEqual([undefined, 'two'])
  })

  it('prevents a load in flight from being cached or shared with later callers', async () => {
    const cache = await open(byShop)
    const { promise, resolve } = withResolvers()
    const before = cache.load(outside, 'one', () => promise)
    report({ kind: 'shop', id: '', slug: 'one' })
    expect(await cache.load(outside, 'one', async () => 'new')).toBe('new')
    resolve('old')
    expect(await before).toBe('old')
    expect(cache.get('one')).toBe('new')
  })

  it('limits entries to half a second while change notifications are interrupted, and removes them afterwards', async () => {
    const cache = await open(byShop)
    cache.set('one', 'first')
    elapsedMs = 10_000
    expect(cache.get('one')).toBe('first')
    cache.set('two', 'second')
    listeningSince = undefined
    expect(cache.get('one')).toBeUndefined()
    expect(cache.get('two')).toBe('second')
    elapsedMs += 501
    expect(cache.get('two')).toBeUndefined()
    cache.set('three', 'third')
    listeningSince = performance.now() + 1
    elapsedMs += 2
    expect(cache.get('three')).toBeUndefined()
  })

  it('limits entries to 30 seconds without a sign of life: a dead connection looks like a silent one', async () => {
    const cache = await open(byShop)
    cache.set('one', 'first')
    elapsedMs = 29_000
    expect(cache.get('one')).toBe('first')
    elapsedMs = 30_001
    expect(cache.get('one')).toBeUndefined()
  })
})

async function open<Value>(definition: CacheDefinition<Value>): Promise<Cache<Value>> {
  return (await openCaches()).open(definition)
}

async function openCaches() {
  const database = {
    async listen(_channel: string, handle: (payload: string) => void) {
      report = (change) => handle(JSON.stringify(change))
    },
    listeningSince: () => listeningSince,
  } as unknown as Database // the part that openChanges uses
  return createCaches(clock, await openChanges(database))
}

function withResolvers() {
  let resolve = (_value: string): void => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
