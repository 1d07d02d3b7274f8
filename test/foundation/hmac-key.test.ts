import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HmacKey } from '../../src/platform/foundation/hmac-key.ts'

describe('HMAC key', () => {
  // RFC 4231, whose keys and data are given as bytes.
  it.each([
    [
      'a short key',
      'Jefe',
      'what do ya want ',
      'for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'a key of 20 bytes',
      '\u000b'.repeat(20),
      '',
      'Hi There',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
  ])('signs as RFC 4231 says with %s', (_what, secret, ...[head, body, signature]) => {
    expect(new HmacKey(secret).sign(head, Buffer.from(body), 'hex')).toBe(signature)
  })

  it('signs as node:crypto does, whatever the length of key and message', () => {
    for (const keyLength of [0, 1, 31, 63, 64, 65, 200]) {
      const secret = randomBytes(keyLength).toString('hex').slice(0, keyLength)
      const key = new HmacKey(secret)
      for (const length of [0, 1, 55, 56, 64, 1_000, 65_400, 65_536, 300_000]) {
        for (const head of ['', '1763380800.', 'größer.😀.']) {
          const body = randomBytes(length)
          const expected = createHmac('sha256', secret).update(head).update(body)
          expect(key.sign(head, body, 'hex')).toBe(expected.digest('hex'))
        }
      }
    }
  })

  it('signs each message by itself', () => {
    const [one, other] = [new HmacKey('one'), new HmacKey('other')]
    const long = one.sign('long.', Buffer.alloc(5_000, 'x'), 'base64')
    const short = other.sign('short.', Buffer.from('y'), 'base64')
    expect(one.sign('long.', Buffer.alloc(5_000, 'x'), 'base64')).toBe(long)
    expect(other.sign('short.', Buffer.from('y'), 'base64')).toBe(short)
    expect(short).toBe(createHmac('sha256', 'other').update('short.y').digest('base64'))
  })
})
