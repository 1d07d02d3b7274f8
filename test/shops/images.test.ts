import { describe, expect, it } from 'vitest'
import { createImageKey, isPrivate, shopIdIn } from '../../src/shops/images/rules.ts'
import { isImageKey } from '../../src/shops/images/schema.ts'

const shopId = '019a0000-7b1e-7cc0-9d3a-ff6f7a1b4c5d'

describe('image', () => {
  it('is private if it is of a customer', () => {
    const types = ['background', 'claim', 'logo', 'signature', 'product', 'voucher'] as const
    expect(types.filter(isPrivate)).toEqual(['claim', 'signature'])
  })

  it('has a key that names its type and its shop, and that nobody can guess', () => {
    const keys = Array.from({ length: 50 }, () => createImageKey('claim', shopId, 'png'))
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) {
      expect(isImageKey(key)).toBe(true)
      expect(key).toMatch(/^claim-/)
      expect(shopIdIn(key)).toBe(shopId)
    }
  })

  it('is of the shop in its key, whatever is in that', () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect(shopIdIn(createImageKey('logo', id, 'webp'))).toBe(id)
    }
  })
})
