import { describe, expect, it } from 'vitest'
import { localize, toStoredTranslations } from '../../src/offers/deals/rules.ts'
import type { Translation } from '../../src/offers/deals/schema.ts'

describe('translations of a deal', () => {
  it('are stored once for each language, the last one, without empty texts', () => {
    expect(
      toStoredTranslations([
        { language: 'de', data: { title: 'Alt', description: 'Text' } },
        { language: 'fr', data: { title: null, description: 'Texte' } },
        { language: 'de', data: { title: 'Neu', description: null } },
      ]),
    ).toEqual([
      { language: 'de', data: { title: 'Neu' } },
      { language: 'fr', data: { description: 'Texte' } },
    ])
    expect(toStoredTranslations(null)).toEqual([])
    expect(toStoredTranslations(undefined)).toEqual([])
  })

  it('are shown to those who prefer their language, field by field', () => {
    const translations: Translation[] = [
      { language: 'de', data: { title: 'Socken' } },
      { language: 'fr', data: { title: 'Chaussettes', description: 'Chaudes' } },
    ]
    const deal = { title: 'Socks', description: 'Warm', translations }
    expect(localize(deal, 'de-CH', 'en')).toEqual({ title: 'Socken', description: 'Warm' })
    expect(localize(deal, 'fr', 'en')).toEqual({ title: 'Chaussettes', description: 'Chaudes' })
    expect(localize(deal, 'en, fr;q=0.9', 'en')).toEqual({ title: 'Socks', description: 'Warm' })
    expect(localize(deal, undefined, 'de')).toEqual({ title: 'Socken', description: 'Warm' })
    expect(localize({ ...deal, title: null, translations: [] }, 'de', 'en')).toEqual({
      title: null,
      description: 'Warm',
    })
  })
})
