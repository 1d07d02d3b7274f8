import { describe, expect, it } from 'vitest'
import { describeFailure } from '../../src/desk/attention/operations.ts'

describe('failure of a provider', () => {
  it.each([
    [0, 'does not respond'],
    [401, 'Check them'],
    [403, 'Check them'],
    [429, 'more slowly'],
    [500, 'tried again'],
    [503, 'tried again'],
    [400, 'status 400'],
    [404, 'status 404'],
  ])('with status %i: %s', (status, text) => {
    expect(describeFailure(status)).toContain(text)
  })
})
