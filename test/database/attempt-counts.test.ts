import { afterAll, describe, expect, it } from 'vitest'
import { after, dayMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import {
  AttemptCounter,
  type AttemptLimit,
  deleteEndedAttempts,
  giveBackAttempts,
  rememberRight,
  wasRight,
} from '../../src/platform/store/attempts.ts'
import { openTestDatabase } from '../harness/service.ts'

const { db, close } = await openTestDatabase()
afterAll(() => close())

const start = new Date('2026-11-16T12:00:00Z')
const storeAt = (ms: number) => ({ db, now: after(start, ms) })
let names = 0

/** Three attempts in a minute, of a subject that no other test has. */
function newLimit(fields: Partial<AttemptLimit> = {}) {
  names += 1
  const limit: AttemptLimit = { name: `limit ${names}`, limit: 3, windowMs: minuteMs, ...fields }
  return { limit, subject: 'ada' }
}

describe('attempts', () => {
  it('are counted in a window of time that begins with the first', async () => {
    const attempt = newLimit()
    const waits: number[] = []
    for (const seconds of [0, 10, 20, 30, 59, 60, 61]) {
      // Another process: it has seen nothing itself.
      const { waitSeconds } = await new AttemptCounter().count(storeAt(seconds * secondMs), [attempt])
      waits.push(waitSeconds)
    }
    expect(waits).toEqual([0, 0, 0, 30, 1, 0, 0])
  })

  it('are no more than the limit, however many come at the same moment', async () => {
    const [attempt, counter] = [newLimit(), new AttemptCounter()]
    const counted = await Promise.all(Array.from({ length: 10 }, () => counter.count(storeAt(0), [attempt])))
    expect(counted.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(3)
    expect(counted.find(({ waitSeconds }) => waitSeconds > 0)?.exceeded).toEqual(attempt.limit)
  })

  it('are counted by subject and by limit, and one over its limit counts no others behind it', async () => {
    const [first, second, counter] = [newLimit({ limit: 1 }), newLimit({ limit: 1 }), new AttemptCounter()]
    const count = (...attempts: (typeof first)[]) => counter.count(storeAt(0), attempts)
    expect((await count(first)).waitSeconds).toBe(0)
    expect((await count({ ...first, subject: 'grace' })).waitSeconds).toBe(0)
    expect((await count(first, second)).exceeded).toEqual(first.limit)
    expect((await count(second)).waitSeconds).toBe(0)
  })

  it('that were right are given back, for another attempt, in their own window only', async () => {
    const attempt = newLimit({ limit: 2 })
    const countAt = (seconds: number) => new AttemptCounter().count(storeAt(seconds * secondMs), [attempt])
    const [right] = [await countAt(0), await countAt(0)]
    await giveBackAttempts(storeAt(0), right)
    expect((await countAt(1)).waitSeconds).toBe(0)
    expect((await countAt(2)).waitSeconds).toBe(58)
    // Its window is over, and another one has begun.
    const next = [await countAt(61), await countAt(62)]
    expect(next.map(({ waitSeconds }) => waitSeconds)).toEqual([0, 0])
    await giveBackAttempts(storeAt(63 * secondMs), right)
    expect((await countAt(63)).waitSeconds).toBe(58)
  })

  it('are not limited for long by a clock that ran ahead', async () => {
    const attempt = newLimit({ limit: 1 })
    const countAt = (ms: number) => new AttemptCounter().count(storeAt(ms), [attempt])
    await countAt(dayMs)
    expect((await countAt(0)).waitSeconds).toBe(0)
    expect((await countAt(0)).waitSeconds).toBe(60)
  })

  it('over the limit are rejected without the store for two seconds, and then looked up again', async () => {
    const [attempt, counter] = [newLimit({ limit: 2 }), new AttemptCounter()]
    const right = [await counter.count(storeAt(0), [attempt]), await counter.count(storeAt(0), [attempt])]
    expect(counter.isLimited(start, attempt)).toBe(false)
    await counter.count(storeAt(0), [attempt])
    expect(counter.isLimited(after(start, 1_999), attempt)).toBe(true)
    expect(counter.isLimited(after(start, 1_999), { ...attempt, subject: 'grace' })).toBe(false)
    for (const each of right) await giveBackAttempts(storeAt(0), each)
    expect((await counter.count(storeAt(secondMs), [attempt])).waitSeconds).toBe(59)
    expect(counter.isLimited(after(start, 2_000), attempt)).toBe(false)
    expect((await counter.count(storeAt(2 * secondMs), [attempt])).waitSeconds).toBe(0)
  })

  it('that were right are remembered for a day, and forgotten with what has ended', async () => {
    await rememberRight(storeAt(0), 'a password')
    expect(await wasRight(storeAt(dayMs - 1), 'a password')).toBe(true)
    expect(await wasRight(storeAt(dayMs), 'a password')).toBe(false)
    expect(await wasRight(storeAt(0), 'another password')).toBe(false)
    const [ending, going] = [newLimit({ limit: 1 }), newLimit({ limit: 1, windowMs: 3 * dayMs })]
    for (const attempt of [ending, going]) await new AttemptCounter().count(storeAt(0), [attempt])
    await deleteEndedAttempts(storeAt(dayMs))
    expect(await wasRight(storeAt(0), 'a password')).toBe(false)
    expect((await new AttemptCounter().count(storeAt(0), [ending])).waitSeconds).toBe(0)
    expect((await new AttemptCounter().count(storeAt(0), [going])).exceeded).toEqual(going.limit)
  })
})
