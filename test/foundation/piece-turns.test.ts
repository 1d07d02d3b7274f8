import { describe, expect, it } from 'vitest'
import { PieceTurns, piecesPerTurn } from '../../src/http/piece-turns.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('pieces of documents', () => {
  it('are sent a few per turn of the event loop, in turns, however many readers there are', async () => {
    const turns = new PieceTurns()
    const [readers, pieces] = [100, 3]
    const sent = Array<number>(readers).fill(0)
    const sendNext = (reader: number): void =>
      turns.next(() => {
        sent[reader] = (sent[reader] ?? 0) + 1
        if (sent[reader] < pieces) sendNext(reader)
      })
    for (let reader = 0; reader < readers; reader += 1) sendNext(reader)
    let before = 0
    const counts: number[] = []
    while (before < readers * pieces) {
      await turn()
      const now = sent.reduce((sum, count) => sum + count, 0)
      counts.push(now - before)
      // Nobody is two pieces ahead of another.
      expect(Math.max(...sent) - Math.min(...sent)).toBeLessThanOrEqual(1)
      before = now
      expect(counts.length).toBeLessThan(readers * pieces)
    }
    expect(Math.max(...counts)).toBe(piecesPerTurn)
  })
})
