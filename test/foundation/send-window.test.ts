import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SendWindow } from '../../src/foundation/send-window.ts'

describe('requests in a send window', () => {
  it('never exceed the limit within its period, however they are distributed', () => {
    const limit = fc.record({ requests: fc.integer({ min: 1, max: 8 }), perMs: fc.integer({ min: 10, max: 2_000 }) })
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })), { maxLength: 60 })
    fc.assert(
      fc.property(limit, pauses, (limit, pauses) => {
        const window = new SendWindow(limit)
        let nowMs = 0
        const leaving = pauses.map((pauseMs) => {
          nowMs += pauseMs
          return nowMs + window.reserve(nowMs)
        })
        for (const [index, at] of leaving.entries()) {
          const within = leaving.slice(index).filter((other) => other < at + limit.perMs)
          expect(within.length).toBeLessThanOrEqual(limit.requests)
        }
      }),
    )
  })

  it('do not wait if there is capacity', () => {
    const window = new SendWindow({ requests: 3, perMs: 1_000 })
    expect([0, 0, 0, 0, 2_300].map((nowMs) => window.reserve(nowMs))).toEqual([0, 0, 0, 1_100, 0])
  })
})
