import { describe, expect, it } from 'vitest'
import { maxRetries, pauseAfter } from '../../src/delivery/queue/retry.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { readResetAt, readRetryAfter } from '../../src/platform/foundation/retry-after.ts'

const baseMs = 5 * secondMs
const steady = { jitter: 0 }

describe('pause after a failed attempt', () => {
  it('doubles from the configured first one, up to 12 hours', () => {
    const pauses = Array.from({ length: 15 }, (_, index) => pauseAfter(index + 1, baseMs, steady))
    const doubled = [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 40_960]
    expect(pauses).toEqual([...doubled.map((seconds) => seconds * secondMs), 12 * hourMs])
    expect(pauseAfter(1, dayMs, steady)).toBe(12 * hourMs)
  })

  it('has up to a tenth more by chance, and still 12 hours at most', () => {
    expect(pauseAfter(1, baseMs, { jitter: 1 })).toBe(5_500)
    expect(pauseAfter(3, baseMs, { jitter: 0.5 })).toBe(21_000)
    expect(pauseAfter(15, baseMs, { jitter: 1 })).toBe(12 * hourMs)
  })

  it('is as long as the receiver requests, never shorter than planned, and 12 hours at most', () => {
    expect(pauseAfter(1, baseMs, { ...steady, retryAfterMs: 10 * minuteMs })).toBe(10 * minuteMs)
    expect(pauseAfter(8, baseMs, { ...steady, retryAfterMs: secondMs })).toBe(640 * secondMs)
    expect(pauseAfter(1, baseMs, { ...steady, retryAfterMs: dayMs })).toBe(12 * hourMs)
  })

  it('ends with the sixteenth attempt', () => {
    expect(maxRetries).toBe(15)
    expect(pauseAfter(15, baseMs, steady)).toBeDefined()
    expect(pauseAfter(16, baseMs, steady)).toBeUndefined()
    expect(pauseAfter(16, baseMs, { ...steady, retryAfterMs: minuteMs })).toBeUndefined()
  })
})

describe('pause that a response names', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  const clock = { now: () => now }
  const given = (value: string) => ({ headers: { 'retry-after': value } })

  it('is in seconds, or a date if there is a clock to compare it with', () => {
    expect(readRetryAfter(given('120'))).toBe(2 * minuteMs)
    expect(readRetryAfter(given('1.5'), clock)).toBe(1_500)
    expect(readRetryAfter(given('Mon, 16 Nov 2026 12:05:00 GMT'), clock)).toBe(5 * minuteMs)
    expect(readRetryAfter(given('Mon, 16 Nov 2026 12:05:00 GMT'))).toBeUndefined()
    expect(readResetAt({ headers: { reset: '1794830460' } }, 'reset', now.getTime())).toBe(minuteMs)
  })

  it('is a day at most, and ignored if it is over or cannot be read', () => {
    expect(readRetryAfter(given('999999999'))).toBe(dayMs)
    expect(readRetryAfter(given('Fri, 31 Dec 9999 23:59:59 GMT'), clock)).toBe(dayMs)
    for (const value of ['0', '-5', 'soon', '', 'Mon, 16 Nov 2026 11:00:00 GMT']) {
      expect(readRetryAfter(given(value), clock), value).toBeUndefined()
    }
    expect(readRetryAfter({ headers: {} }, clock)).toBeUndefined()
    expect(readResetAt({ headers: {} }, 'reset', now.getTime())).toBeUndefined()
  })
})
