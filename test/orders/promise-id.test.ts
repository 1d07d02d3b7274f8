import { describe, expect, it } from 'vitest'
import { promiseId, readPromiseId, type ShownPromise } from '../../src/orders/promises/promise-id.ts'
import type { Context } from '../../src/platform/foundation/context.ts'
import { type SigningKey, SigningKeys } from '../../src/platform/foundation/signing-keys.ts'

const now = new Date('2026-11-17T09:48:00Z')
const shown: ShownPromise = {
  method: 'Standard',
  carrierReference: 'dhl',
  service: 'DHL Paket',
  countryCode: 'DE',
  earliest: '2026-11-18',
  likeliest: '2026-11-19',
  latest: '2026-11-20',
  percentile: 0.9,
  shareByLatest: 0.93,
  sampleSize: 412,
  basis: 'route',
  issuedAt: new Date('2026-11-17T09:00:00Z'),
}

function contextWith(keys: SigningKey[]): Pick<Context, 'services'> {
  const signing = new SigningKeys({ now: () => now })
  signing.use(keys)
  return { services: { signing } as Context['services'] } // nothing else is needed
}

const key = (id: string, signsFrom: string, validUntil: string | null = null): SigningKey => ({
  id,
  secret: `secret ${id}`,
  signsFrom: new Date(signsFrom),
  validUntil: validUntil === null ? null : new Date(validUntil),
})

describe('promise ids while signing keys are rotated', () => {
  const id = promiseId(contextWith([key('first', '2026-01-01')]), 'shop', shown)

  it('count for as long as the key that signed them is accepted', () => {
    const rotated = contextWith([key('second', '2026-11-17'), key('first', '2026-01-01', '2026-11-18')])
    expect(readPromiseId(rotated, 'shop', id, now)).toEqual(shown)
    const ended = contextWith([key('second', '2026-11-17'), key('first', '2026-01-01', '2026-11-17T09:00:00Z')])
    expect(readPromiseId(ended, 'shop', id, now)).toBe('not_genuine')
  })

  it('are signed with the newest key that signs already', () => {
    const old = key('first', '2026-01-01')
    const before = contextWith([key('second', '2026-11-17T10:00:00Z'), old])
    expect(promiseId(before, 'shop', shown)).toBe(id)
    expect(promiseId(contextWith([key('second', '2026-11-17'), old]), 'shop', shown)).not.toBe(id)
  })
})
