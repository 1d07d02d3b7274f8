import { describe, expect, it } from 'vitest'
import { choicesIn, choicesOf, one, several } from '../../web/dashboard/kit/list/filters.ts'
import type { ListSearch } from '../../web/dashboard/kit/list/search.ts'

interface Search extends ListSearch {
  status?: string | undefined
  phase?: string[] | undefined
}

const choices = choicesOf(['placed', 'fulfilled'], (value) => value.toUpperCase())

describe('filter of a list', () => {
  it('by one value has that of the address, and leaves it again', () => {
    const filter = one<Search>({ status: 'placed', phase: ['returned'] }, 'status', 'Status', choices)
    expect(filter).toMatchObject({ label: 'Status', chosen: ['placed'], isSingle: true })
    expect(filter.change(['fulfilled'])).toEqual({ status: 'fulfilled' })
    expect(Object.entries(filter.change([]))).toEqual([['status', undefined]])
    expect(one<Search>({}, 'status', 'Status', choices).chosen).toEqual([])
  })

  it('by several values has those of the address, and leaves them again', () => {
    const filter = several<Search>({ status: 'placed', phase: ['returned', 'lost'] }, 'phase', 'State', choices)
    expect(filter.chosen).toEqual(['returned', 'lost'])
    expect(filter.isSingle).toBeUndefined()
    expect(filter.change(['lost'])).toEqual({ phase: ['lost'] })
    expect(Object.entries(filter.change([]))).toEqual([['phase', undefined]])
    expect(several<Search>({}, 'phase', 'State', choices).chosen).toEqual([])
  })

  it('has choices in the order in which they are given', () => {
    expect(choices).toEqual([
      { value: 'placed', label: 'PLACED' },
      { value: 'fulfilled', label: 'FULFILLED' },
    ])
  })

  it('has what rows have, each once, by name', () => {
    const names = new Map([
      ['dhl', 'DHL'],
      ['ups', 'A carrier'],
    ])
    expect(choicesIn(['dhl', null, 'ups', '', undefined, 'dhl'], (value) => names.get(value) ?? value)).toEqual([
      { value: 'ups', label: 'A carrier' },
      { value: 'dhl', label: 'DHL' },
    ])
  })
})
