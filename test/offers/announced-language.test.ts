import { describe, expect, it } from 'vitest'
import { announcedLanguage } from '../../src/offers/decision/decide.ts'
import type { Language } from '../../src/platform/foundation/languages.ts'

const shopIn = (language: Language) => ({ id: 'shop', slug: 'a-shop', name: 'A shop', language, currency: 'EUR' })

describe('language of announcements', () => {
  it.each<[string, { wants: string | undefined; shop: Language; has: Language[] }, Language]>([
    ['the reader’s, if there are any in it', { wants: 'de', shop: 'fr', has: ['en', 'fr', 'de'] }, 'de'],
    ['the next that the reader takes', { wants: 'de, it;q=0.5', shop: 'fr', has: ['fr', 'it'] }, 'it'],
    ['the shop’s, if there are none in the reader’s', { wants: 'de', shop: 'fr', has: ['en', 'fr'] }, 'fr'],
    ['the shop’s, if the reader names none', { wants: undefined, shop: 'fr', has: ['en', 'fr', 'de'] }, 'fr'],
    ['English, if there are none in either', { wants: 'de', shop: 'fr', has: ['en', 'it'] }, 'en'],
    ['English, if there are none at all', { wants: 'de', shop: 'fr', has: [] }, 'en'],
  ])('is %s', (_name, { wants, shop, has }, expected) => {
    const announcements = has.map((language) => ({ language }))
    expect(announcedLanguage({ acceptLanguage: wants, shop: shopIn(shop) }, announcements)).toBe(expected)
  })
})
