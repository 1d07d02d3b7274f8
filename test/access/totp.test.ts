import { describe, expect, it } from 'vitest'
import { codeAt, findTotpStep, newTotpSecret, setUpTotp } from '../../src/access/people/totp.ts'

/** The secret of RFC 6238, appendix B: "12345678901234567890" in base 32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('TOTP', () => {
  // The last six of the eight digits that the RFC lists for SHA-1.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('has the code of RFC 6238 at %i s', (seconds, code) => {
    const step = Math.floor(seconds / 30)
    expect(codeAt(secret, step)).toBe(code)
    expect(findTotpStep(secret, code, new Date(seconds * 1_000))).toBe(step)
  })

  it('finds the step of a code, one step early or late included', () => {
    const now = new Date(1_234_567_890_000)
    const step = Math.floor(1_234_567_890 / 30)
    for (const offset of [-1, 0, 1])
      expect(findTotpStep(secret, codeAt(secret, step + offset), now)).toBe(step + offset)
    for (const offset of [-2, 2]) expect(findTotpStep(secret, codeAt(secret, step + offset), now)).toBeUndefined()
    for (const code of ['', '05924', '0005924', 'abcdef']) expect(findTotpStep(secret, code, now)).toBeUndefined()
  })

  it('has secrets of 160 random bits, and addresses without anything that would end a part', () => {
    const secrets = new Set(Array.from({ length: 100 }, newTotpSecret))
    expect(secrets.size).toBe(100)
    for (const made of secrets) expect(made).toMatch(/^[A-Z2-7]{32}$/)
    const { uri } = setUpTotp(secret, 'a&b?c/d:e@shop.example', 'A:B & C')
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(new URL(uri).searchParams.get('issuer')).toBe('A:B & C')
  })
})
