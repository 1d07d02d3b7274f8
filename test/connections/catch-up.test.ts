import { describe, expect, it } from 'vitest'
import { newRun, nextRunAt, nextStep, pauseAfter, type Run, withApplied } from '../../src/connections/catch-up/rules.ts'
import type { AppliedOrders } from '../../src/connections/past-orders/apply-orders.ts'
import { after, dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (ms: number) => after(now, -ms)
const longAgo = ago(400 * dayMs)
const since = (began_at: Date, caught_up_until: Date | null) =>
  new Date(newRun('shopify', { began_at, caught_up_until }, now).since)

describe('run', () => {
  it('goes back three days at first, and no further than to the connection', () => {
    expect(since(longAgo, null)).toEqual(ago(3 * dayMs))
    expect(since(ago(hourMs), null)).toEqual(ago(hourMs))
  })

  it('begins an hour before the end of the last one, and goes back sixty days at most', () => {
    expect(since(longAgo, ago(15 * minuteMs))).toEqual(ago(75 * minuteMs))
    expect(since(longAgo, ago(80 * dayMs))).toEqual(ago(60 * dayMs))
    expect(since(ago(20 * minuteMs), ago(15 * minuteMs))).toEqual(ago(20 * minuteMs))
  })

  it('ends now, and has read nothing', () => {
    const run = newRun('shopware', { began_at: longAgo, caught_up_until: null }, now)
    expect(run).toMatchObject({ until: now.toISOString(), position: null, read: 0, failed: 0, problems: [] })
  })

  it.each([
    ['shopify', ['changed', 'open']],
    ['shopware', ['changed', 'open']],
    ['woocommerce', ['placed', 'changed', 'open']],
  ] as const)('of %s has its steps, each from its beginning', (system, expected) => {
    const steps: string[] = []
    let run: Run | undefined = newRun(system, { began_at: longAgo, caught_up_until: null }, now)
    while (run) {
      steps.push(run.step)
      expect(run.position).toBeNull()
      run = nextStep(system, { ...run, position: { at: run.since, ids: ['7'] } })
    }
    expect(steps).toEqual(expected)
  })

  it('adds up what its pages have done, and names each order once', () => {
    const problem = (order: number) => ({ order: String(order), key: 'order_exists', message: 'x' })
    const applied: AppliedOrders = {
      created: 1,
      updated: 2,
      unchanged: 4,
      skipped: 8,
      failed: 2,
      problems: [problem(1), problem(2)],
      orderIds: [],
    }
    let run = newRun('shopify', { began_at: longAgo, caught_up_until: null }, now)
    run = withApplied(run, applied)
    expect(run).toMatchObject({ read: 17, created: 1, updated: 2, failed: 2 })
    run = withApplied(run, { ...applied, problems: [problem(2), problem(3)] })
    expect(run).toMatchObject({ read: 34, created: 2, updated: 4, failed: 4 })
    expect(run.problems.map(({ order }) => order)).toEqual(['1', '2', '3'])
    run = withApplied(run, { ...applied, problems: Array.from({ length: 30 }, (_, index) => problem(index)) })
    expect(run.problems).toHaveLength(10)
    expect(run.problems.slice(0, 3).map(({ order }) => order)).toEqual(['1', '2', '3'])
  })
})

describe('next run', () => {
  const run = newRun('shopify', { began_at: longAgo, caught_up_until: null }, now)
  const at = (shop_id: string, system: string, finished = now) => nextRunAt({ shop_id, system }, run, finished)

  it('is 12 to 18 minutes after the beginning of the last, for each shop at its own time', () => {
    const pauses = Array.from({ length: 200 }, (_, index) => at(`shop-${index}`, 'shopify').getTime() - now.getTime())
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(12 * minuteMs)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(18 * minuteMs)
    expect(new Set(pauses.map((pause) => Math.floor(pause / minuteMs))).size).toBe(6)
    expect(at('shop-1', 'shopify')).toEqual(at('shop-1', 'shopify'))
    expect(at('shop-1', 'shopify')).not.toEqual(at('shop-1', 'shopware'))
  })

  it('leaves a minute after one that took longer', () => {
    const finished = after(now, hourMs)
    expect(at('shop-1', 'shopify', finished)).toEqual(after(finished, minuteMs))
  })

  it('waits longer after every failure, an hour at most, or as long as the system wants', () => {
    expect([0, 1, 2, 5].map((failures) => pauseAfter(failures, undefined))).toEqual(
      [1, 2, 4, 32].map((minutes) => minutes * minuteMs),
    )
    expect([6, 12, 500].map((failures) => pauseAfter(failures, undefined))).toEqual([hourMs, hourMs, hourMs])
    expect(pauseAfter(9, 1_500)).toBe(1_500)
    expect(pauseAfter(0, 5 * hourMs)).toBe(5 * hourMs)
  })
})
