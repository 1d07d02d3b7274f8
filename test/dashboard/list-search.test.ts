import { describe, expect, it } from 'vitest'
import {
  choiceIn,
  choicesIn,
  dayIn,
  fromFirstPage,
  isFiltered,
  type ListSearch,
  listSearch,
  parseSearch,
  scopeOf,
  stringifySearch,
  textIn,
  textsIn,
  withoutFilters,
} from '../../web/dashboard/kit/list/search.ts'
import type { OrderSearch } from '../../web/dashboard/screens/orders/search.ts'

const phases = ['in_transit', 'delivered', 'returned'] as const

describe('state of a list in the address', () => {
  it.each([
    [{}, ''],
    [{ q: '1042', phase: ['in_transit', 'delivered'] }, '?q=1042&phase=in_transit&phase=delivered'],
    [{ q: 'Müller & Söhne' }, '?q=M%C3%BCller+%26+S%C3%B6hne'],
    [
      { page: 2, sort: '-placed_at', columns: ['number', 'email'] },
      '?page=2&sort=-placed_at&columns=number&columns=email',
    ],
    [{ mapped: true }, '?mapped=true'],
  ])('%j is written as "%s", and read as the same', (search, text) => {
    expect(stringifySearch(search)).toBe(text)
    expect(stringifySearch(parseSearch(text))).toBe(text)
  })

  it('leaves out what is not chosen', () => {
    expect(stringifySearch({ q: '', page: undefined, sort: null, mapped: false, columns: [] })).toBe('')
  })

  it('has what every list has', () => {
    const read = listSearch(parseSearch('?q=1042&page=3&sort=-name&columns=name&other=1'))
    expect(read).toEqual({ q: '1042', page: 3, sort: '-name', columns: ['name'] })
    expect(listSearch({})).toEqual({ q: undefined, page: undefined, sort: undefined, columns: undefined })
  })

  it.each(['1', '0', '-2', '1.5', 'two', ''])('does not know a page %j: the first one is open', (page) => {
    expect(listSearch({ page }).page).toBeUndefined()
  })

  it('takes the first of several values where there is one', () => {
    expect(textIn({ q: ['a', 'b'] }, 'q')).toBe('a')
    expect(textIn({ q: '' }, 'q')).toBeUndefined()
    expect(textsIn({ columns: 'a' }, 'columns')).toEqual(['a'])
    expect(textsIn({}, 'columns')).toBeUndefined()
  })

  it('has known choices only', () => {
    expect(choiceIn({ phase: 'delivered' }, 'phase', phases)).toBe('delivered')
    expect(choiceIn({ phase: 'lost' }, 'phase', phases)).toBeUndefined()
    expect(choicesIn({ phase: ['delivered', 'lost', 'in_transit'] }, 'phase', phases)).toEqual([
      'delivered',
      'in_transit',
    ])
    expect(choicesIn({ phase: 'lost' }, 'phase', phases)).toBeUndefined()
    expect(choicesIn({}, 'phase', phases)).toBeUndefined()
  })

  it.each([
    ['2026-11-19', '2026-11-19'],
    ['2026-13-01', undefined],
    ['19.11.2026', undefined],
    ['2026-11-19T10:00', undefined],
  ])('takes %s for the day %s', (on, day) => expect(dayIn({ on }, 'on')).toBe(day))
})

describe('change of a list', () => {
  it('leads to its first page', () => {
    const before: ListSearch = { page: 3, q: 'a' }
    expect({ ...before, ...fromFirstPage({ q: 'ada' }) }).toEqual({ page: undefined, q: 'ada' })
  })

  it('that clears it leaves the columns', () => {
    const search = { q: 'ada', page: 2, sort: 'name', columns: ['name'], phase: ['delivered'] }
    expect({ ...search, ...withoutFilters(search) }).toEqual({
      q: undefined,
      page: undefined,
      sort: undefined,
      columns: ['name'],
      phase: undefined,
    })
  })

  it.each<[OrderSearch, boolean]>([
    [{}, false],
    [{ page: 2, sort: 'name', columns: ['name'] }, false],
    [{ q: 'ada' }, true],
    [{ status: ['placed'] }, true],
    [{ q: undefined, status: undefined }, false],
  ])('to %j leaves rows out: %s', (search, isNarrow) => expect(isFiltered(search)).toBe(isNarrow))

  it.each<[string, OrderSearch]>([
    ['filters', { status: ['placed'] }],
    ['searches', { q: 'ada' }],
    ['sorts', { sort: 'name' }],
    ['turns the page', { page: 2 }],
  ])('that %s it makes it another list', (_what, change) => expect(scopeOf(change)).not.toBe(scopeOf({})))

  it('of its columns leaves it the same', () => {
    const search: OrderSearch = { status: ['placed'] }
    expect(scopeOf({ ...search, columns: ['name'] })).toBe(scopeOf({ ...search, page: 1 }))
  })
})
