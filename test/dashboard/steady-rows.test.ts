import { describe, expect, it } from 'vitest'
import { nothingShown, type Shown, shownAfter, steadyRows } from '../../web/dashboard/kit/list/steady-rows.ts'

interface Row {
  id: string
  state: string
}

/** A list on the screen, and what its query returns one after the other. */
class Screen {
  #shown: Shown = nothingShown

  load(scope: string, ids: string, { state = 'as it was', isOfBefore = false } = {}) {
    const rows = [...ids].map((id): Row => ({ id, state }))
    const loaded = { rows, keyOf: ({ id }: Row) => id, scope, isOfBefore }
    this.#shown = shownAfter(this.#shown, loaded)
    const { rows: steady, newCount } = steadyRows(this.#shown, loaded)
    return { ids: steady.map(({ id }) => id).join(''), states: [...new Set(steady.map((row) => row.state))], newCount }
  }
}

const open = () => {
  const screen = new Screen()
  screen.load('page=1', '')
  screen.load('page=1', 'abcd')
  return screen
}

describe('rows of a list that refreshes by itself', () => {
  it('are all shown when the list opens', () => {
    const screen = new Screen()
    expect(screen.load('page=1', '')).toMatchObject({ ids: '', newCount: 0 })
    expect(screen.load('page=1', 'abcd')).toMatchObject({ ids: 'abcd', newCount: 0 })
  })

  it('stay where they are while others come in, which are counted', () => {
    const screen = open()
    expect(screen.load('page=1', 'xyab')).toMatchObject({ ids: 'ab', newCount: 2 })
    expect(screen.load('page=1', 'zxya')).toMatchObject({ ids: 'a', newCount: 3 })
  })

  it('are updated where they stand', () => {
    expect(open().load('page=1', 'xabc', { state: 'changed' })).toEqual({
      ids: 'abc',
      states: ['changed'],
      newCount: 1,
    })
  })

  it('do not follow an order that changes by itself', () => {
    expect(open().load('page=1', 'dcba')).toMatchObject({ ids: 'abcd', newCount: 0 })
  })

  it('that come back after a refresh without them stand where they stood', () => {
    const screen = open()
    expect(screen.load('page=1', 'acd')).toMatchObject({ ids: 'acd', newCount: 0 })
    expect(screen.load('page=1', 'abcd')).toMatchObject({ ids: 'abcd', newCount: 0 })
  })

  it('are shown at once where nothing of before is left', () => {
    expect(open().load('page=1', 'wxyz')).toMatchObject({ ids: 'wxyz', newCount: 0 })
  })

  it('of an empty list are the first that come in', () => {
    const screen = open()
    expect(screen.load('page=1', '')).toMatchObject({ ids: '', newCount: 0 })
    expect(screen.load('page=1', 'x')).toMatchObject({ ids: 'x', newCount: 0 })
  })
})

describe('rows of another list', () => {
  it('are all shown, in their own order', () => {
    expect(open().load('sort=name', 'dcba')).toMatchObject({ ids: 'dcba', newCount: 0 })
  })

  it('are those of before until it has arrived', () => {
    const screen = open()
    expect(screen.load('status=placed', 'abcd', { isOfBefore: true })).toMatchObject({ ids: 'abcd', newCount: 0 })
    expect(screen.load('status=placed', 'bxyz')).toMatchObject({ ids: 'bxyz', newCount: 0 })
  })

  it('are all shown when it is widened again', () => {
    const screen = open()
    screen.load('status=placed', 'abcd', { isOfBefore: true })
    screen.load('status=placed', 'bd')
    expect(screen.load('page=1', 'bd', { isOfBefore: true })).toMatchObject({ ids: 'bd', newCount: 0 })
    expect(screen.load('page=1', 'abcd')).toMatchObject({ ids: 'abcd', newCount: 0 })
  })

  it('stay where they are from then on', () => {
    const screen = open()
    screen.load('page=2', 'abcd', { isOfBefore: true })
    screen.load('page=2', 'efgh')
    expect(screen.load('page=2', 'defg')).toMatchObject({ ids: 'efg', newCount: 1 })
  })
})
