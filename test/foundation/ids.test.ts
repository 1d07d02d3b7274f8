import { describe, expect, it } from 'vitest'
import { earliestId, isUuid, newId } from '../../src/platform/foundation/ids.ts'

const instant = new Date('2026-11-18T12:00:00.000Z')

describe('new ids', () => {
  it('are version 7 UUIDs that begin with their time', () => {
    const id = newId(instant)
    expect(isUuid(id)).toBe(true)
    expect(id.slice(0, 13)).toBe(earliestId(instant).slice(0, 13))
    expect(id[14]).toBe('7')
    expect('89ab').toContain(id[19])
  })

  it('sort in the order of their creation, also when a millisecond has more of them than fit', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) =>
      newId(new Date(instant.getTime() + Math.floor(index / 9_000))),
    )
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keep their order when the clock is set back a little, and follow it when it is set back far', () => {
    const before = newId(new Date(instant.getTime() + 60_000))
    expect(newId(new Date(instant.getTime() + 59_500)) > before).toBe(true)
    const after = newId(instant)
    expect(after.slice(0, 13)).toBe(earliestId(instant).slice(0, 13))
  })
})
