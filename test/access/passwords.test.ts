import { describe, expect, it } from 'vitest'
import { findPasswordProblem } from '../../src/access/people/password-rules.ts'

const email = 'ada.lovelace@shop.example'

describe('new password', () => {
  it.each(['a rather long sentence', 'xK7-pQ2-vN9', 'lovelace wrote the first program', 'Übermut tut selten gut'])(
    'may be %j',
    (password) => {
      expect(findPasswordProblem(password, email)).toBeUndefined()
    },
  )

  it.each([
    ['password123', 'common'],
    ['Pass-Word 123!', 'common'],
    ['QWERTYUIOP', 'common'],
    ['p a s s w o r d 1 2', 'common'],
    ['ｐａｓｓｗｏｒｄ123', 'common'],
    ['aaaaaaaaaaaa', 'four different'],
    ['abcabcabcabc', 'four different'],
    ['ada.lovelace@shop.example', 'e-mail address'],
    ['AdaLovelace1', 'e-mail address'],
    ['ada_lovelace_1234567', 'e-mail address'],
  ])('must not be %j', (password, problem) => {
    expect(findPasswordProblem(password, email)).toContain(problem)
  })

  it('may contain the address beside enough else', () => {
    expect(findPasswordProblem('adalovelace 12 others', email)).toBeUndefined()
    expect(findPasswordProblem('adalovelace 1 others', email)).toContain('e-mail address')
  })

  it('may have four different characters, and no fewer', () => {
    expect(findPasswordProblem('abcdabcdabcd', email)).toBeUndefined()
    expect(findPasswordProblem('abc-abc-abc-', email)).toContain('four different')
  })

  it('is not compared with an address without a name', () => {
    expect(findPasswordProblem('a rather long sentence', '@shop.example')).toBeUndefined()
  })
})
