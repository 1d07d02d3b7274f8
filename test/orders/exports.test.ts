import { describe, expect, it } from 'vitest'
import { selectionOf } from '../../src/orders/exports/rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const day = (text: string) => new Date(`${text}T00:00:00Z`)

describe('period of an export', () => {
  it('is of the last 90 days by creation, with drafts', () => {
    expect(selectionOf({}, now)).toEqual({
      sortBy: 'created_at',
      createdFrom: new Date('2026-08-22T12:00:00Z'),
      createdTo: undefined,
      updatedFrom: undefined,
      updatedTo: undefined,
      includeDrafts: true,
    })
    expect(selectionOf({ include_drafts: false }, now).includeDrafts).toBe(false)
  })

  it('begins 90 days before its end, if only that is given', () => {
    expect(selectionOf({ created_to: '2026-06-30' }, now)).toMatchObject({
      createdFrom: day('2026-04-01'),
      createdTo: day('2026-06-30'),
    })
    expect(selectionOf({ updated_to: '2026-06-30' }, now)).toMatchObject({
      sortBy: 'updated_at',
      updatedFrom: day('2026-04-01'),
      createdFrom: undefined,
    })
  })

  it('is not limited by creation if changes are asked for', () => {
    expect(selectionOf({ updated_from: '2026-11-01' }, now)).toMatchObject({
      sortBy: 'updated_at',
      updatedFrom: day('2026-11-01'),
      createdFrom: undefined,
      createdTo: undefined,
    })
  })

  it('is sorted by the time of which less is asked for', () => {
    const both = { created_from: '2026-01-01', updated_from: '2026-11-01' }
    expect(selectionOf(both, now).sortBy).toBe('updated_at')
    expect(selectionOf({ ...both, created_from: '2026-11-10' }, now).sortBy).toBe('created_at')
    expect(selectionOf({ ...both, created_to: '2026-01-05' }, now).sortBy).toBe('created_at')
    expect(selectionOf({ created_from: '2026-11-01', updated_from: '2026-11-01' }, now).sortBy).toBe('created_at')
  })
})
