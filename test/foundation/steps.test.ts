import { describe, expect, it } from 'vitest'
import { runInSlices, type Steps } from '../../src/platform/foundation/steps.ts'

describe('long work in slices', () => {
  it('leaves several turns of the event loop between its parts, as many as a request takes', async () => {
    let turns = 0
    let isOver = false
    const countTurns = () => {
      turns += 1
      if (!isOver) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    const turnsBefore: number[] = []
    function* work(): Steps<string> {
      for (let part = 0; part < 5; part += 1) {
        turnsBefore.push(turns)
        const endsAt = performance.now() + 10
        while (performance.now() < endsAt);
        yield
      }
      return 'done'
    }
    expect(await runInSlices(work())).toBe('done')
    isOver = true
    const between = turnsBefore.slice(1).map((count, part) => count - (turnsBefore[part] ?? 0))
    expect(Math.min(...between)).toBeGreaterThan(4)
  })
})
