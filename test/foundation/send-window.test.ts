import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SendWindow } from '../../src/platform/foundation/send-window.ts'
import { CaseCounter } from '../harness/cases.ts'

describe('requests in a send window', () => {
  it('never exceed the limit within its period, however they are distributed', () => {
    const limit = fc.record({ requests: fc.integer({ min: 1, max: 8 }), perMs: fc.integer({ min: 10, max: 2_000 }) })
    const pauses = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.integer({ min: 0, max: 200 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      ),
      { maxLength: 60 },
    )
    const cases = new CaseCounter<{ waits: number[]; requests: number }>({
      'no request waits': ({ waits }) => waits.length > 0 && waits.every((wait) => wait === 0),
      'a burst waits': ({ waits }) => waits.filter((wait) => wait > 0).length > 3,
      'one leaves at once after others waited': ({ waits }) => waits.some((wait) => wait > 0) && waits.at(-1) === 0,
      'one at a time': ({ requests, waits }) => requests === 1 && waits.length > 1,
      'more than twice the limit': ({ requests, waits }) => waits.length > 2 * requests,
    })
    fc.assert(
      fc.property(limit, pauses, (limit, pauses) => {
        const window = new SendWindow(limit)
        let nowMs = 0
        const waits: number[] = []
        const leaving = pauses.map((pauseMs) => {
          nowMs += pauseMs
          const waitMs = window.reserve(nowMs)
          waits.push(waitMs)
          return nowMs + waitMs
        })
        cases.count({ waits, requests: limit.requests })
        for (const [index, at] of leaving.entries()) {
          const within = leaving.slice(index).filter((other) => other < at + limit.perMs)
          expect(within.length).toBeLessThanOrEqual(limit.requests)
        }
      }),
      {
        examples: [
          [{ requests: 1, perMs: 1_000 }, [0, 0, 999, 1, 0, 3_000]],
          [{ requests: 3, perMs: 1_000 }, [0, 0, 0, 0, 0, 0, 0, 0, 5_000]],
          [{ requests: 3, perMs: 1_000 }, [0, 500, 499, 1, 100, 0, 3_000]],
          [{ requests: 8, perMs: 10 }, [0, 0, 3_000, 3_000]],
        ],
      },
    )
    cases.expectEach()
  })

  it('do not wait if there is capacity', () => {
    const window = new SendWindow({ requests: 3, perMs: 1_000 })
    expect([0, 0, 0, 0, 2_300].map((nowMs) => window.reserve(nowMs))).toEqual([0, 0, 0, 1_100, 0])
  })
})
