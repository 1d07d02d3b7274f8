import { describe, expect, it } from 'vitest'
import { describe as describeShop, withDescription } from '../../src/shops/shops/operations.ts'

const shop = {
  language: 'de' as const,
  descriptions: [
    { language: 'fr' as const, text: 'Chaussettes' },
    { language: 'de' as const, text: 'Socken' },
    { language: 'en' as const, text: 'Socks' },
  ],
}

describe('description of a shop', () => {
  it('is in the language of the reader, else of the shop, else the newest', () => {
    expect(describeShop(shop, 'en-GB, fr;q=0.5')).toBe('Socks')
    expect(describeShop(shop, 'sv, fr;q=0.5')).toBe('Chaussettes')
    expect(describeShop(shop, 'sv')).toBe('Socken')
    expect(describeShop(shop, undefined)).toBe('Socken')
    expect(describeShop({ ...shop, language: 'sv' }, undefined)).toBe('Chaussettes')
    expect(describeShop({ ...shop, descriptions: [] }, 'en')).toBeNull()
  })

  it('replaces that of its language, and comes first', () => {
    expect(withDescription(shop, 'en', 'Warm socks')).toEqual([
      { language: 'en', text: 'Warm socks' },
      { language: 'fr', text: 'Chaussettes' },
      { language: 'de', text: 'Socken' },
    ])
    expect(withDescription(shop, undefined, 'Warme Socken')[0]).toEqual({ language: 'de', text: 'Warme Socken' })
    expect(withDescription(shop, 'sv', 'Strumpor')).toHaveLength(4)
  })

  it('is removed in one language, or in all if none is named', () => {
    expect(withDescription(shop, 'en', null).map(({ language }) => language)).toEqual(['fr', 'de'])
    expect(withDescription(shop, undefined, null)).toEqual([])
  })
})
